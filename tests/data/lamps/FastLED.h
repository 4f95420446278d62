/* Of this library, what a sketch uses; `show` prints the colour of each lamp. */
struct CRGB {
  uint8_t r, g, b;
  CRGB() : r(0), g(0), b(0) {}
  CRGB(uint8_t red, uint8_t green, uint8_t blue) : r(red), g(green), b(blue) {}
};
enum EOrder { GRB };
template <uint8_t PIN, EOrder ORDER> struct WS2812B {};
struct CFastLED {
  CRGB *lamps;
  int count;
  template <template <uint8_t, EOrder> class CHIP, uint8_t PIN, EOrder ORDER>
  void addLeds(CRGB *data, int n) { CHIP<PIN, ORDER>(); lamps = data, count = n; }
  void setBrightness(uint8_t) {}
  void show() { print(&lamps->r, count); }
};
static CFastLED FastLED;
