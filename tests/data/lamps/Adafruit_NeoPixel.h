/* Of this library, what a sketch uses; `show` prints the colour of each lamp. */
enum { NEO_GRB = 0x52, NEO_KHZ800 = 0 };
struct Adafruit_NeoPixel {
  uint8_t lamps[999][3];
  uint16_t count;
  Adafruit_NeoPixel(uint16_t n, int16_t, uint16_t) : count(n) {}
  void begin() {}
  void setBrightness(uint8_t) {}
  void setPixelColor(uint16_t n, uint8_t red, uint8_t green, uint8_t blue) {
    lamps[n][0] = red, lamps[n][1] = green, lamps[n][2] = blue;
  }
  void show() { print(lamps[0], count); }
};
