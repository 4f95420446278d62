#ifndef LIGHTS_READER
#define LIGHTS_READER
/* Plays a film: lights_begin, then for each frame lights_milliseconds and lights_next. */
struct lights_player {
  const struct lights_film *film;
  uint8_t *lamps;  /* level of each lamp along the wire; in colour all reds, then greens, then blues */
  uint32_t frame, click;
};

static inline uint32_t lights_number(struct lights_numbers numbers, uint32_t place) {
  uint32_t value = 0, bit = place * numbers.bits, end = bit + numbers.bits;
  for (; bit < end; bit++)
    value = value << 1 | (pgm_read_byte(numbers.bytes + bit / 8) >> (7 - bit % 8) & 1);
  return value;
}

/* Converts the column of a cell to the column of its lamp in a serpentine row, and back. */
static inline int32_t lights_along(const struct lights_film *film, int32_t row, int32_t column) {
  return film->serpentine && row % 2 ? film->columns - 1 - column : column;
}

/* Position on a wire; bits of wiring: 1 from the bottom, 2 from the right, 4 by columns, 8 zigzag. */
static inline uint32_t lights_before(uint8_t wiring, uint32_t rows, uint32_t columns,
                                     uint32_t row, uint32_t column) {
  if (wiring & 1) row = rows - 1 - row;
  if (wiring & 2) column = columns - 1 - column;
  const uint32_t length = wiring & 4 ? rows : columns, line = wiring & 4 ? column : row;
  const uint32_t place = wiring & 4 ? row : column;
  return line * length + (wiring & 8 && line % 2 ? length - 1 - place : place);
}

/* Lamp of a number in the film; with panels, the numbers are cells, counted row by row. */
static inline uint32_t lights_lamp(const struct lights_film *film, uint32_t number) {
  if (!film->across) return number;
  const uint32_t rows = film->rows / film->down, columns = film->columns / film->across;
  const uint32_t row = number / film->columns, column = number % film->columns;
  const uint8_t panels = film->wiring >> 4;
  const uint32_t before =
      lights_before(panels, film->down, film->across, row / rows, column / columns);
  /* In zigzag order every other line of panels is rotated by 180 degrees. */
  const uint32_t line = before / (panels & 4 ? film->down : film->across);
  const uint8_t wiring = film->wiring ^ (panels & 8 && line % 2 ? 3 : 0);
  return before * rows * columns +
         lights_before(wiring, rows, columns, row % rows, column % columns);
}

static inline void lights_press(struct lights_player *player, int32_t number, uint8_t boards) {
  const struct lights_film *film = player->film;
  const int32_t rows = film->rows, columns = film->columns;
  const int32_t row = number / columns, column = lights_along(film, row, number % columns);
  for (uint16_t i = 0; i < film->flips; i++) {
    int32_t down = row - rows + (int32_t)lights_number(film->rule, 2 * i);
    int32_t right = column - columns + (int32_t)lights_number(film->rule, 2 * i + 1);
    if (film->wrap) down %= rows, right %= columns;
    if (down < 0 || down >= rows || right < 0 || right >= columns) continue;
    uint32_t lamp = lights_lamp(film, (uint32_t)(down * columns + lights_along(film, down, right)));
    for (uint8_t board = 0; board < film->boards; board++) {
      uint8_t *level = player->lamps + board * rows * columns + lamp;
      if (boards >> board & 1) *level = (*level + 1) % film->levels;
    }
  }
}

/* Sets the lamps to the first frame. */
static inline void lights_begin(struct lights_player *player) {
  const struct lights_film *film = player->film;
  const uint32_t cells = (uint32_t)film->rows * film->columns;
  for (uint32_t number = 0; number < cells * film->boards; number++)
    player->lamps[number / cells * cells + lights_lamp(film, number % cells)] =
        (uint8_t)lights_number(film->first, number);
  player->frame = player->click = 0;
}

/* Returns the duration of the current frame in milliseconds. */
static inline uint32_t lights_milliseconds(const struct lights_player *player) {
  const struct lights_film *film = player->film;
  uint32_t milliseconds = film->milliseconds;
  for (uint16_t i = 0; i < film->holds; i++)
    if (lights_number(film->held, 2 * i) == player->frame)
      milliseconds += lights_number(film->held, 2 * i + 1);
  return milliseconds;
}

/* Advances to the next frame; after the last one, to the first. */
static inline void lights_next(struct lights_player *player) {
  const struct lights_film *film = player->film;
  if (player->frame + 1 == film->frames) {
    lights_begin(player);
    return;
  }
  uint32_t more = lights_number(film->added, player->frame++);
  for (; more; more--, player->click++)
    lights_press(player, (int32_t)lights_number(film->lamps, player->click),
                 film->boards == 1 ? 1 : (uint8_t)lights_number(film->on, player->click));
}
#endif
