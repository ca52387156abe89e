/// When an output has colours, as `--color` says.
public enum ColorChoice: String, Sendable, Hashable, CaseIterable {
  /// If the output is a terminal that can show them, and the environment does not forbid it.
  case auto
  /// Always, in a pipe or a file too.
  case always
  /// Never.
  case never
}

/// Colours of a terminal; none of them, if the output is not one.
public struct Ink: Sendable, Hashable {
  /// Whether there are colours.
  public let isOn: Bool

  /// Creates an ink.
  public init(isOn: Bool) { self.isOn = isOn }

  /// Decides whether an output has colours.
  ///
  /// With `auto` the environment decides: `NO_COLOR` turns colours off, otherwise `CLICOLOR_FORCE` turns them
  /// on; otherwise a terminal has colours, unless `CLICOLOR` is 0 or the terminal states that it can do
  /// nothing (`TERM=dumb`).
  public init(_ choice: ColorChoice = .auto, isTerminal: Bool, environment: [String: String]) {
    func isSet(_ name: String) -> Bool { !(environment[name] ?? "").isEmpty }
    switch choice {
    case .always: isOn = true
    case .never: isOn = false
    case .auto where isSet("NO_COLOR"): isOn = false
    case .auto where isSet("CLICOLOR_FORCE") && environment["CLICOLOR_FORCE"] != "0": isOn = true
    case .auto: isOn = isTerminal && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }
  }

  /// A colour or a weight.
  public enum Style: String, Sendable, CaseIterable {
    /// Bold.
    case bold = "1"
    /// Faint.
    case faint = "2"
    /// Red, for what failed.
    case red = "31"
    /// Green, for what is well.
    case green = "32"
    /// Yellow, for what deserves a look.
    case yellow = "33"
    /// Blue.
    case blue = "34"
    /// Cyan.
    case cyan = "36"
  }

  /// Returns a text in a style.
  public func callAsFunction(_ style: Style, _ text: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
