/// How a request is sent: the section [Options], or the directives of an `.http` file.
package struct EntryOptions: Sendable {
  /// Whether redirects are followed; nil for the default of the format.
  package var followsRedirects: Bool?
  /// How often the request is sent again if it or an assertion fails.
  package var retries = 0
  package var retryInterval = Duration.seconds(1)
  package var delay: Duration?
  package var isSkipped = false
  /// How often the request is sent.
  package var repetitions = 1
  package var maximumTime: Duration?
  package var connectTime: Duration?
  /// Whether the request has no cookies of earlier responses.
  package var ignoresCookies = false
  var fields: [(name: String, value: String)] = []
  var user: String?
  var variables: [(name: String, value: Value)] = []

  private static let names = [
    "location", "retry", "retry-interval", "delay", "skip", "repeat", "max-time", "connect-timeout",
    "variable",
    "user", "header",
  ]

  /// Throws unless an option is known, and its value is valid as far as it has no placeholders.
  static func check(_ option: Parameter) throws(FileFault) {
    var options = EntryOptions()
    try options.set(option.plainName, option.value.plainText, option)
  }

  /// Creates the options of an entry.
  init(_ parameters: [Parameter], in environment: Environment) throws(FileFault) {
    for parameter in parameters {
      try set(parameter.plainName, try environment.text(parameter.value), parameter)
    }
  }

  private init() {}

  /// Sets an option; a nil value is not known yet.
  private mutating func set(_ name: String, _ value: String?, _ option: Parameter) throws(FileFault) {
    func fault(_ message: String) -> FileFault { FileFault(message, at: option.value.span) }
    func bool() throws(FileFault) -> Bool? {
      guard value == "true" || value == "false" || value == nil else {
        throw fault("\(name) is true or false.")
      }
      return value.map { $0 == "true" }
    }
    func count(_ range: ClosedRange<Int>) throws(FileFault) -> Int? {
      guard let value else { return nil }
      guard let number = Int(value), range.contains(number) else {
        throw fault(
          "\(name) is a number from \(range.lowerBound) to \(range.upperBound), so that the run ends.")
      }
      return number
    }
    func duration(_ unit: Double) throws(FileFault) -> Duration? {
      guard let value else { return nil }
      guard let duration = Self.duration(value, unit: unit) else {
        throw fault("\(name) is a time of at most an hour, such as 500ms or 2s.")
      }
      return duration
    }
    func pair(_ separator: Character, _ example: String) throws(FileFault) -> (name: String, value: String)? {
      guard let value else { return nil }
      let halves = value.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, !halves[0].isEmpty else { throw fault("\(name) has the form \(example).") }
      return (String(halves[0]), String(halves[1].drop { $0 == " " }))
    }
    switch name {
    case "location": followsRedirects = try bool() ?? followsRedirects
    case "retry": retries = try count(0...10_000) ?? retries
    case "retry-interval": retryInterval = try duration(0.001) ?? retryInterval
    case "delay": delay = try duration(0.001) ?? delay
    case "skip": isSkipped = try bool() ?? isSkipped
    case "repeat": repetitions = try count(1...10_000) ?? repetitions
    case "max-time": maximumTime = try duration(1) ?? maximumTime
    case "connect-timeout": connectTime = try duration(1) ?? connectTime
    case "no-cookie-store": ignoresCookies = try bool() ?? ignoresCookies
    case "user": user = try pair(":", "name:password").map { "\($0.name):\($0.value)" } ?? user
    case "header": if let field = try pair(":", "Name: value") { fields.append(field) }
    case "variable":
      if let (variable, text) = try pair("=", "name=value") {
        variables.append((variable, Value(variable: text)))
      }
    case "insecure":
      throw FileFault(
        "insecure is not supported, because certificates are always verified; trust an authority with --cacert.",
        at: option.name.span)
    case "compressed":
      throw FileFault(
        "compressed is not supported, because compressed responses are always requested; remove it.",
        at: option.name.span)
    case "verbose", "very-verbose", "verbosity":
      throw FileFault("\(name) is not supported; use --trace.", at: option.name.span)
    default:
      throw FileFault(
        "The option \"\(name)\" is not supported; known are \(Self.names.joined(separator: ", ")).",
        at: option.name.span)
    }
  }

  /// Returns a time such as "500ms" or "2s"; a number without a unit has the one of its option, in seconds.
  static func duration(_ text: String, unit: Double) -> Duration? {
    let digits = text.prefix { ("0"..."9").contains($0) || $0 == "." }
    let units = ["": unit, "ms": 0.001, "s": 1, "m": 60, "h": 3_600]
    let name = text.dropFirst(digits.count).drop { $0 == " " }
    guard let number = Double(String(digits)), let factor = units[String(name)], number * factor <= 3_600
    else {
      return nil
    }
    return .milliseconds(Int((number * factor * 1_000).rounded()))
  }
}
