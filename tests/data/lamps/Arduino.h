/* Of this library, what a sketch uses; `show` prints the colour of each lamp. */
#pragma once
#include <stdint.h>
#include <stdio.h>
#define PROGMEM
#define pgm_read_byte(address) (*(const uint8_t *)(address))
inline void delay(unsigned long milliseconds) { printf("%lu\n", milliseconds); }
inline void print(const uint8_t *lamps, int count) {
  for (int i = 0; i < count * 3; i++) printf("%d ", lamps[i]);
}
