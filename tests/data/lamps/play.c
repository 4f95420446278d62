/* Prints the milliseconds of each frame, and the level of each lamp; then the first frame again. */
#include <stdio.h>
static uint8_t lamps[LAMPS];
int main(void) {
  struct lights_player player = {&FILM, lamps, 0, 0};
  lights_begin(&player);
  for (uint32_t frame = 0; frame <= player.film->frames; frame++) {
    printf("%u", lights_milliseconds(&player));
    for (unsigned lamp = 0; lamp < sizeof lamps; lamp++) printf(" %u", lamps[lamp]);
    puts("");
    lights_next(&player);
  }
  return 0;
}
