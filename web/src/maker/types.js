/**
 * What the maker's page and its workers share.
 *
 * @import { Picture, PictureView, Size, WrittenFilm, Film } from "../types.js"
 * @import { LOOKS, OrderName, TRANSITIONS } from "./choices.js"
 *
 * A board on which every configuration is accessible.  Configurations hold the level of each cell,
 * and click sets its number of presses, row by row.
 *
 * @typedef {Size & { levels: number, rule?: Rule }} Board
 *
 * With the rule "ring", clicks do not change their own cell.
 *
 * @typedef {"plus" | "ring"} Rule
 *
 * @typedef {"threshold" | "blue-noise"} OrderedDither
 * @typedef {"floyd-steinberg" | OrderedDither} Dither
 *
 * @typedef {[number, number, number]} Triple
 *
 * A plane has one value for each pixel or cell, row by row.  A grey picture has one plane, a colour
 * picture three.
 *
 * @typedef {Float32Array | Float64Array} Plane
 *
 * @typedef {object} Light linear light of a picture, 0 to 1
 * @property {number} width
 * @property {number} height
 * @property {Float32Array[]} planes
 *
 * What a picture becomes on a plane of a board.
 *
 * @typedef {{ configuration: Uint8Array }} SearchedTarget
 * @typedef {{ configuration: Uint8Array, grey: Float32Array }} GreyTarget
 * @typedef {object} SpotTarget in spot colours
 * @property {Uint8Array} configuration
 * @property {Triple[]} lab colour of each cell
 * @property {Triple[]} palette colour of each level
 * @typedef {GreyTarget | SpotTarget | SearchedTarget} Target
 *
 * @typedef {object} Choices the user's
 * @property {keyof typeof LOOKS} look
 * @property {string} size cells along the longer side
 * @property {keyof typeof TRANSITIONS} transition
 * @property {OrderName} order
 * @property {string} palette
 *
 * @typedef {object} PictureMembers
 * @property {number} number by which workers know the picture
 * @property {string} name
 * @property {PictureView | null} view
 * @property {string | null} sha256 of its file, if the picture is the user's own
 *
 * @typedef {Picture & PictureMembers} CroppedPicture
 *
 * @typedef {object} GreyMembers
 * @property {Plane[]} greys value of each cell, 0 to 1, on each plane
 * @property {boolean} isFlat whether a few colours fill most of the picture
 *
 * @typedef {CroppedPicture & GreyMembers} GreyPicture
 *
 * @typedef {object} Palette colours as hex
 * @property {string} background
 * @property {string[]} colours of cells from dark to bright: two, or more for films with one plane
 *
 * @typedef {object} LookMembers
 * @property {string[]} accents to choose the colour of marks from
 * @property {string[]} [spot] spot colours by level
 * @property {Panel | null} [panel]
 * @property {"square" | "rounded" | "circle"} [shape]
 * @property {string | null} [dot]
 *
 * @typedef {Palette & LookMembers} FilmLook
 * @typedef {Pick<WrittenFilm, "show_clicks" | "clicks_panel">} Panel
 *
 * A film with the members of Python's `Animation`.
 *
 * @typedef {object} Animation
 * @property {Board} board
 * @property {number[]} frames number of clicks, or steps, done when each frame is shown
 * @property {number} fps
 * @property {string[]} pictures their names
 * @property {OriginRecord | null} origin
 * @property {number} loop
 * @property {Uint8Array[]} first configuration of each plane
 * @property {number[]} clicks
 * @property {number[] | null} primaries
 * @property {Uint8Array[][] | null} steps click sets of each plane
 * @property {[frame: number, seconds: number][]} holds
 * @property {Uint8Array[][]} targets
 *
 * How a film was made, as Python records it.
 *
 * @typedef {object} OriginRecord
 * @property {string} program
 * @property {Record<string, unknown>} settings
 * @property {(string | null)[]} sha256
 * @property {boolean} cut_short
 * @property {Record<string, unknown>[]} own
 *
 * @typedef {object} MadeFilm all that the page needs to show and save a film
 * @property {Board} board
 * @property {Target[][]} targets of each picture, one for each plane
 * @property {string[] | undefined} spot
 * @property {Animation} animation
 * @property {FilmLook} look
 * @property {WrittenFilm} written
 * @property {Film} film
 *
 * @typedef {(share: number) => void} Report is called with the share that is done
 */

export {};
