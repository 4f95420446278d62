/**
 * Shapes of the data that pages share.
 *
 * Numbers of a film are packed: [count, bits per number, the bits in base64, highest first].
 *
 * @typedef {[count: number, width: number, bits: string]} Packed
 *
 * A cell is the number row * columns + column.
 *
 * @typedef {number} Cell
 *
 * @typedef {object} Size
 * @property {number} rows
 * @property {number} columns
 *
 * @typedef {object} BoardMembers what a board adds to its size
 * @property {number} cells
 * @property {number} levels number of states of a cell; 0 is dark.  A click raises each cell that it
 *   flips by 1, and the brightest level to 0
 * @property {readonly (readonly [down: number, right: number])[]} offsets of each cell that a click
 *   flips
 * @property {boolean} [wrap] whether opposite edges are joined
 *
 * @typedef {Size & BoardMembers} Board
 *
 * The film of a page, as lightsanim/output/formats/page.py writes it.  Backward, the same clicks
 * lower what they flip; with two levels a click undoes itself.
 *
 * @typedef {object} FilmMembers
 * @property {string} program version of lightsanim that wrote the page
 * @property {number} boards number of colour planes: 1, or 3 (red, green, blue).  A shade is a number
 *   in base `levels` whose digits are the cell's levels on the planes, red lowest
 * @property {Packed} first levels of the first configuration, row by row, plane by plane
 * @property {Packed} clicks cells in click order; with more than two levels, repeated clicks on a cell
 *   are listed once
 * @property {Packed | null} [again] 1 for each click that repeats the cell before, else 0
 * @property {Packed | null} [primaries] in colour: planes of each click, a sum of 1 red, 2 green, 4
 *   blue
 * @property {string[]} [steps] instead of clicks (then empty): click sets, each pressed as a whole.
 *   Each is base64: the lowest bit of the presses of each cell, plane by plane, padded to whole bytes,
 *   then the next bit, ...
 * @property {Packed} frames number of clicks, or steps, that each frame after frame 0 adds
 * @property {number} fps a frame is shown 1 / fps seconds,
 * @property {[frame: number, seconds: number][]} holds and a held one longer
 * @property {number} loop number of plays, 0 = for ever
 * @property {string[]} palette colours of the background and of each shade
 * @property {string} accent colour of marks
 * @property {string | null} dot colour of marks on cells just clicked
 * @property {string} [show_clicks] the panel of clicks is open at first
 * @property {"total"} [clicks_panel] the panel shows all clicks so far, not only the frame's
 * @property {number} [exhibit] number of last clicks that are left to the visitor
 * @property {string} [maker] address of a page on which visitors make films of their own
 * @property {number | null} gap share of a cell's pitch that is gap, null = automatic
 * @property {"square" | "rounded" | "circle"} shape of a cell
 * @property {string} rule name of the rule
 * @property {string} title the heading
 * @property {string[]} pictures their names, in the order shown
 * @property {boolean} framed whether another page embeds it
 * @property {boolean} puzzle whether it is a puzzle
 * @property {true} [flashes] it may flash too fast (WCAG 2.3.1), and plays by a click only
 * @property {Pick<FilmMembers, "first" | "clicks" | "again">[]} [series] the next puzzles
 * @property {Origin | null} [origin] how it was made; see lightsanim/output/formats/json_animation.py
 * @property {string} [sha256] hash of all other members as JSON with sorted keys, without white space
 *
 * @typedef {{ settings: Record<string, unknown>, label?: { alt?: string } }} Origin
 *
 * @typedef {Size & Omit<BoardMembers, "cells"> & { wrap: boolean } & FilmMembers} WrittenFilm
 *
 * The film that a page plays.
 *
 * @typedef {object} UnpackedMembers
 * @property {number} cells
 * @property {Uint8Array} first shade of each cell
 * @property {Uint32Array} clicks cell of each click
 * @property {ArrayLike<number>} primaries colour planes of each click, as bits
 * @property {number[] | undefined} ends number of clicks done after each step, beginning with 0
 * @property {number} count number of clicks
 * @property {number[]} frames number of clicks done when each frame is shown
 * @property {number[]} starts start of each frame in seconds, and at last of the next round
 * @property {Uint8Array[]} sums shades with the levels of another shade added on each plane,
 *   [other][shade]
 * @property {Uint8Array[]} raised shades with some planes changed by a level, [planes][shade]
 * @property {Uint8Array[]} lowered
 *
 * @typedef {Omit<WrittenFilm, keyof UnpackedMembers> & UnpackedMembers} Film
 *
 * What is shown of a board.
 *
 * @typedef {object} Lights
 * @property {Uint8Array} shades current shade of each cell
 * @property {Cell[]} touched cells that changed since the last painting
 *
 * @typedef {object} FilmState of a film that a page plays
 * @property {Uint8Array} shades
 * @property {Cell[]} touched
 * @property {number} done number of the film's clicks that are done
 * @property {number} time seconds into the film
 *
 * What painting needs of a film.
 *
 * @typedef {Size & Pick<FilmMembers, "palette" | "gap" | "shape">} Look
 *
 * @typedef {object} View the place of a board on its canvas
 * @property {number} pitch pixels from one cell to the next
 * @property {number} gap pixels between two cells
 * @property {boolean} covered whether cells have gaps or corners, so that the cover is drawn
 * @property {OffscreenCanvas} mask cover of the gaps and corners of a cell, see `cellMask`
 * @property {OffscreenCanvas} hole the same in black
 *
 * A picture that is cropped, in pixels.
 *
 * @typedef {{ width: number, height: number }} Picture
 *
 * @typedef {object} PictureView the part of a picture that is shown
 * @property {number} x its centre, as shares of the picture's sides
 * @property {number} y
 * @property {number} zoom relative to the largest part that has the shape of the frame
 *
 * @typedef {[left: number, top: number, right: number, bottom: number]} Box
 *
 * Clicks of a game: cells, and the planes of each as bits.
 *
 * @typedef {[cell: Cell, boards: number]} Click
 */

export {};
