/**
 * Shapes of what the studio's page holds, and of what it and its server send each other; see
 * lightsanim/apps/studio/server.py.
 *
 * The option table: lightsanim/apps/studio/option_form.py.
 *
 * @import { Box, Picture, PictureView } from "../types.js"
 *
 * @typedef {string | number | boolean} Value of an option
 * @typedef {Record<string, Value>} Values options by name
 *
 * @typedef {object} Option
 * @property {string} name
 * @property {"choice" | "flag" | "number" | "whole" | "text" | "colour" | "address"} kind
 * @property {Value | null} default null where it depends on other options or on the pictures
 * @property {Value[]} choices
 * @property {number | null} low limits of a number
 * @property {number | null} high
 * @property {number | null} from ends of its slider; without one, null
 * @property {number | null} to
 * @property {number | null} by step of the slider
 * @property {string | null} unit
 * @property {string} help
 * @property {string} unset what is used if the option is not set
 * @property {boolean} own whether each picture can have its own value
 * @property {boolean} look whether it changes only what the film looks like
 * @property {boolean} output whether it changes only the saved files
 * @property {string[] | null} formats suffixes of the files that it changes; null for the film
 * @property {boolean} advanced
 * @property {boolean} of_clips whether it fits clips only
 * @property {boolean} not_of_clips
 * @property {boolean} not_of_one_clip whether it does not fit a single clip
 * @property {boolean} illustrated whether there are pictures of its values
 * @property {string[] | null} transitions those that it fits; null for all
 *
 * @typedef {{ lit: string, unlit: string, background: string }} Palette
 *
 * @typedef {object} OptionTable
 * @property {{ name: string, options: Option[] }[]} groups
 * @property {Record<string, Values>} presets
 * @property {Record<string, Palette>} palettes
 * @property {string[]} formats suffixes of films
 * @property {string[]} stills suffixes of contact sheets
 *
 * The project, called work; the server keeps it.
 *
 * @typedef {object} PictureFacts
 * @property {string} id
 * @property {string} name of its file
 * @property {"still" | "clip"} kind
 * @property {number | null} seconds of a clip, if known
 *
 * @typedef {Picture & PictureFacts} ReadPicture as the server has read it
 *
 * @typedef {ReadPicture & { view: PictureView | null, pasted?: boolean }} WorkPicture
 *
 * @typedef {object} Look options of a film that differ from their defaults
 * @property {Values} values
 * @property {Record<string, Values>} own those of single pictures, by the picture's id
 *
 * @typedef {"A" | "B"} Slot
 *
 * @typedef {object} Work
 * @property {WorkPicture[]} pictures
 * @property {{ A: Look, B: Look | null }} looks
 * @property {Slot} slot the look that is edited
 * @property {string[]} formats suffixes of the files to save
 *
 * Requests and answers.
 *
 * @typedef {object} FilmBody
 * @property {{ id: string, own: Values }[]} pictures
 * @property {Values} options
 * @property {Values} look
 * @property {Values} outputs
 *
 * @typedef {FilmBody & { index: number, wrong?: boolean, slot?: string }} TargetBody
 *
 * @typedef {object} Target of a picture
 * @property {ImageBitmap} bitmap a pixel for each cell
 * @property {Box | null} part the part of the picture that it shows: edges in percent
 *
 * @typedef {{ pictures?: { wrong: number }[] }} FilmReport with each picture's number of wrong cells
 *
 * @typedef {object} FilmAnswer
 * @property {string} film its id
 * @property {boolean} [draft] whether its seams are still to be searched
 * @property {string} summary
 * @property {string[]} [notes]
 * @property {FilmReport} [report]
 *
 * @typedef {{ stage: string, share: number, note: string }} Progress of a search or a save
 *
 * @typedef {object} SavedFiles
 * @property {{ name: string, url: string, bytes: number }[]} files
 * @property {string[]} [notes]
 *
 * @typedef {{ command: string, python: string, manifest: string }} Snippets
 *
 * @typedef {object} Problem
 * @property {string} message
 * @property {string | null} [about] name of the option at fault
 * @property {string | null} [picture] id of the picture at fault
 *
 * A form control.
 *
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(value: Value | null) => void} set shows a value
 *
 * @typedef {(value: Value | null) => void} Put stores what the user chooses; null is the default
 */

export {};
