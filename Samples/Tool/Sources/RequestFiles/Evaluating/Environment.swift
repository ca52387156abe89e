/// The variables of a run, its secrets, and the responses that placeholders can name.
package struct Environment: Sendable {
  /// Values that are new each time.
  package struct Generators: Sendable {
    let uuid: @Sendable () -> String
    let now: @Sendable () -> Moment
    let random: @Sendable (Range<Int>) -> Int

    package init(
      uuid: @escaping @Sendable () -> String, now: @escaping @Sendable () -> Moment,
      random: @escaping @Sendable (Range<Int>) -> Int
    ) {
      (self.uuid, self.now, self.random) = (uuid, now, random)
    }
  }

  /// The maximum length of a text that placeholders produce.
  static let maximumLength = 16 << 20
  /// The maximum number of placeholders that a text resolves, with those of variables.
  static let maximumExpansions = 10_000

  private var variables: [String: Value]
  private var secretNames: Set<String>
  /// The variables that the file defines.
  private let definitions: [String: Template]
  private var responses: [String: ReceivedResponse] = [:]
  private let generators: Generators
  /// Hides the secrets in a text.
  package private(set) var scrubber: SecretScrubber

  /// Creates the environment of a file.
  ///
  /// - Parameters:
  ///   - variables: Variables, which precede those of the file.
  ///   - secrets: Further variables, whose values are hidden in every output.
  package init(
    of file: RequestFile, variables: [String: Value] = [:], secrets: [String: String] = [:],
    generators: Generators
  ) {
    self.variables = variables.merging(secrets.mapValues { .text($0) }) { $1 }
    secretNames = Set(secrets.keys)
    definitions = file.definitions
    scrubber = SecretScrubber(Array(secrets.values))
    self.generators = generators
  }

  /// The current time.
  var now: Moment { generators.now() }

  /// Sets a variable; a secret one is hidden from now on.
  mutating func set(_ name: String, _ value: Value, isSecret: Bool = false) {
    variables[name] = value
    if isSecret {
      secretNames.insert(name)
      hide(value.rendered ?? "")
    } else if secretNames.contains(name), let text = value.rendered {
      hide(text)
    }
  }

  /// Hides a further text, such as credentials that contain a secret.
  mutating func hide(_ text: String) { scrubber.insert(text) }

  /// Whether the value of a variable is hidden.
  func isSecret(_ name: String) -> Bool { secretNames.contains(name) }

  /// Keeps the response to a request with a name.
  mutating func keep(_ response: ReceivedResponse, named name: String) { responses[name] = response }

  /// Returns the value of a variable; nil if there is none.
  func variable(_ name: String) -> Value? { variables[name] }

  // MARK: Templates

  /// Returns a text with its placeholders replaced.
  func text(_ template: Template) throws(FileFault) -> String {
    var rendering = Rendering()
    return try text(template, &rendering)
  }

  /// Returns JSON with its placeholders replaced; in strings, values are escaped.
  func jsonText(_ template: Template) throws(FileFault) -> String {
    var rendering = Rendering()
    var text = ""
    var isInString = false
    for part in template.parts {
      switch part {
      case .text(let piece):
        text += piece
        var isEscaped = false
        for scalar in piece.unicodeScalars {
          if isEscaped {
            isEscaped = false
          } else if scalar == "\\", isInString {
            isEscaped = true
          } else if scalar == "\"" {
            isInString.toggle()
          }
        }
      case .expression(let expression):
        let value = try self.text(expression, &rendering)
        text += isInString ? JSONText.escaped(value) : value
      }
    }
    return text
  }

  /// Returns the value of a placeholder.
  func value(_ expression: Template.Expression) throws(FileFault) -> Value {
    var rendering = Rendering()
    return try value(expression, &rendering)
  }

  private struct Rendering {
    var expansions = 0
    var length = 0
    var names: [String] = []
  }

  private func text(_ template: Template, _ rendering: inout Rendering) throws(FileFault) -> String {
    var text = ""
    for part in template.parts {
      switch part {
      case .text(let piece): text += piece
      case .expression(let expression): text += try self.text(expression, &rendering)
      }
    }
    return text
  }

  private func text(
    _ expression: Template.Expression, _ rendering: inout Rendering
  ) throws(FileFault) -> String {
    guard let text = try value(expression, &rendering).rendered else {
      throw FileFault(
        "The variable \"\(expression.name)\" has bytes that are not text; encode them, for example with base64Encode.",
        at: expression.span)
    }
    rendering.length += text.utf8.count
    guard rendering.length <= Self.maximumLength else {
      throw FileFault(
        "The placeholders produce more than \(Self.maximumLength >> 20) MiB; send a file instead.",
        at: expression.span)
    }
    return text
  }

  private func value(
    _ expression: Template.Expression, _ rendering: inout Rendering
  ) throws(FileFault) -> Value {
    rendering.expansions += 1
    guard rendering.expansions <= Self.maximumExpansions else {
      throw FileFault(
        "The placeholders resolve more than \(Self.maximumExpansions) others; simplify the variables.",
        at: expression.span)
    }
    if let value = variables[expression.name] { return value }
    if let definition = definitions[expression.name] {
      guard !rendering.names.contains(expression.name), rendering.names.count < 100 else {
        let cycle = (rendering.names + [expression.name]).suffix(5).joined(separator: " → ")
        throw FileFault(
          "The variables are defined by each other: \(cycle). Give one of them a value.", at: expression.span)
      }
      rendering.names.append(expression.name)
      defer { rendering.names.removeLast() }
      return .text(try text(definition, &rendering))
    }
    if let value = generated(expression.name) { return value }
    if let value = try responseValue(expression) { return value }
    throw FileFault(
      "There is no variable \"\(expression.name)\" here; capture it before, or set it with --variable \(expression.name)=VALUE.",
      at: expression.span)
  }

  private func generated(_ name: String) -> Value? {
    switch name {
    case "newUuid", "$guid", "$uuid", "$random.uuid": return .text(generators.uuid())
    case "newDate", "$isoTimestamp": return .date(generators.now())
    case "$timestamp": return .integer(generators.now().seconds)
    default: break
    }
    let words = name.split(separator: " ")
    guard words.first == "$randomInt", words.count == 3, let low = Int(words[1]), let high = Int(words[2]),
      low < high
    else { return nil }
    return .integer(generators.random(low..<high))
  }

  /// Returns a part of an earlier response, such as "login.response.body.$.token".
  private func responseValue(_ expression: Template.Expression) throws(FileFault) -> Value? {
    let parts = expression.name.split(separator: ".", maxSplits: 3, omittingEmptySubsequences: false).map(
      String.init)
    guard parts.count == 4, parts[1] == "response" else { return nil }
    guard let response = responses[parts[0]] else {
      throw FileFault(
        "There is no response to a request \"\(parts[0])\" yet; name an earlier one with # @name \(parts[0]).",
        at: expression.span)
    }
    switch (parts[2], parts[3]) {
    case ("headers", let name):
      guard let value = response.values(of: name).first else { break }
      return .text(value)
    case ("body", "*"):
      return .bytes(response.body)
    case ("body", let path):
      do {
        let root = try JSONText.value(response.body)
        if let value = try JSONPath(path.hasPrefix("$") ? path : "$." + path).value(in: root) { return value }
      } catch let fault as JSONPath.Fault {
        throw FileFault("The JSONPath is malformed: \(fault.reason).", at: expression.span)
      } catch {
        throw FileFault(
          "The response to \"\(parts[0])\" is no JSON; use \(parts[0]).response.body.*.", at: expression.span)
      }
    default:
      throw FileFault(
        "A response has .body.PATH, .body.* and .headers.NAME; write one of them.", at: expression.span)
    }
    throw FileFault(
      "The response to \"\(parts[0])\" has no \(parts[2]) \"\(parts[3])\"; check its status and content.",
      at: expression.span, kind: .assertion)
  }
}

/// The response to a request, as assertions see it.
package struct ReceivedResponse: Sendable {
  /// The version, such as "HTTP/2"; nil if it is unknown.
  let version: String?
  package let status: Int
  let fields: [(name: String, value: String)]
  package let body: [UInt8]
  /// The URL of the last request.
  let url: String
  package let duration: Duration
  /// The address of the server.
  let address: String?

  package init(
    version: String? = nil, status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = [],
    url: String = "", duration: Duration = .zero, address: String? = nil
  ) {
    (self.version, self.status, self.fields, self.body) = (version, status, fields, body)
    (self.url, self.duration, self.address) = (url, duration, address)
  }

  /// Returns the values of the fields with a name.
  func values(of name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }
}
