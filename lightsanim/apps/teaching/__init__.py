"""Material for teachers: worksheets to print, a lesson page, and a page that makes films."""
