import Measuring
import Testing

@Suite struct DecimalsTests {
  @Test(
    "A number is rounded to the given number of places",
    arguments: [
      (0.0, 2, "0.00"), (0.42, 2, "0.42"), (12.0, 0, "12"), (-0.5, 1, "-0.5"),
      (-0.001, 2, "0.00"), (999.996, 2, "1000.00"), (0.05, 1, "0.1"), (3.07, 1, "3.1"),
    ])
  func places(value: Double, places: Int, text: String) {
    #expect(Decimals.text(value, places) == text)
  }

  @Test("NaN and infinity have no digits")
  func withoutDigits() {
    #expect(Decimals.text(.nan, 2) == "nan")
    #expect(Decimals.text(.infinity, 2) == "inf")
  }
}
