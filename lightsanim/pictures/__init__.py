"""Pictures, clips and sound: opened, cropped, turned into grey values, and dithered."""
