import Testing
import ToolCommands

@Suite struct FiguresTests {
  @Test(
    "Durations have three digits in the largest unit in which they are at least one",
    arguments: [
      (Duration.zero, "0.00 µs"), (.nanoseconds(1_234), "1.23 µs"), (.microseconds(999), "999 µs"),
      (.nanoseconds(999_900), "1.00 ms"), (.microseconds(12_345), "12.3 ms"),
      (.microseconds(123_456), "123 ms"),
      (.nanoseconds(999_900_000), "1.00 s"), (.milliseconds(59_400), "59.4 s"), (.seconds(60), "1 min 0 s"),
      (.milliseconds(119_700), "2 min 0 s"),
    ])
  func durations(duration: Duration, text: String) { #expect(Figures.text(duration) == text) }

  @Test(
    "Sizes are in binary units",
    arguments: [
      (Int64(0), "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_536, "1.5 KiB"), (1 << 20, "1.0 MiB"),
      (1_048_575, "1.0 MiB"), (5 << 30, "5.0 GiB"), (3 << 40, "3.0 TiB"),
    ])
  func sizes(count: Int64, text: String) { #expect(Figures.bytes(count) == text) }

  @Test("Shares are percentages with one decimal")
  func shares() { #expect([0, 0.1234, 1].map(Figures.percent) == ["0.0 %", "12.3 %", "100.0 %"]) }

  @Test(
    "Colours are for a terminal that has them, and not with NO_COLOR",
    arguments: [
      (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
      (true, ["NO_COLOR": ""], true),
      (true, ["TERM": "dumb"], false), (true, ["TERM": "xterm"], true),
    ])
  func ink(isTerminal: Bool, environment: [String: String], isOn: Bool) {
    let ink = Ink(isTerminal: isTerminal, environment: environment)
    #expect(ink.isOn == isOn)
    #expect(ink(.red, "a") == (isOn ? "\u{1B}[31ma\u{1B}[0m" : "a"))
  }

  @Test("A bar has eighths, and a share above zero is visible")
  func bars() {
    #expect(Bar.text(share: 0, width: 10) == "")
    #expect(Bar.text(share: 0.0001, width: 10) == "▏")
    #expect(Bar.text(share: 0.55, width: 10) == "█████▌")
    #expect(Bar.text(share: 2, width: 3) == "███")
  }
}
