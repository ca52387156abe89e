/// What an evaluation needs of the outside.
package struct EvaluationTools: Sendable {
  /// Returns the hash of bytes.
  let digest: @Sendable (Digest, [UInt8]) -> [UInt8]
  /// Returns the content of a file, or why it can't be read.
  let file: @Sendable (_ path: String) -> Result<[UInt8], FileAccessError>

  package init(
    digest: @escaping @Sendable (Digest, [UInt8]) -> [UInt8],
    file: @escaping @Sendable (_ path: String) -> Result<[UInt8], FileAccessError>
  ) {
    (self.digest, self.file) = (digest, file)
  }
}

/// Why a file can't be read: a sentence.
package struct FileAccessError: Error, Sendable, Hashable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension Entry {
  /// Checks a response, and sets the variables that it captures.
  ///
  /// If the version or the status is wrong, nothing else is checked.
  ///
  /// - Returns: What is not as expected, in the order of the file.
  package func failures(
    of response: ReceivedResponse, in environment: inout Environment, tools: EvaluationTools
  ) -> [FileFault] {
    if let name, isReferable { environment.keep(response, named: name) }
    guard let expectation else { return [] }
    var evaluation = Evaluation(response: response, environment: environment, tools: tools)
    evaluation.checkHead(expectation)
    if evaluation.failures.isEmpty {
      evaluation.capture(expectation.captures)
      evaluation.checkFields(expectation.fields)
      for assertion in expectation.assertions { evaluation.check(assertion) }
      if let body = expectation.body { evaluation.check(body, at: expectation.bodySpan) }
    }
    environment = evaluation.environment
    let scrubber = environment.scrubber
    return evaluation.failures.map { failure in
      var hidden = failure
      hidden.message = scrubber.text(failure.message)
      return hidden
    }
  }
}

/// The check of one response.
struct Evaluation {
  let response: ReceivedResponse
  var environment: Environment
  let tools: EvaluationTools
  private(set) var failures: [FileFault] = []
  /// The content as JSON, parsed once for all queries.
  private var json: Result<Value, JSONText.Fault>?

  init(response: ReceivedResponse, environment: Environment, tools: EvaluationTools) {
    (self.response, self.environment, self.tools) = (response, environment, tools)
  }

  private mutating func fail(_ message: String, at span: Span) {
    failures.append(FileFault(message, at: span, kind: .assertion))
  }

  // MARK: Head and body

  mutating func checkHead(_ expectation: Expectation) {
    if let (version, span) = expectation.version, response.version != version {
      fail("The version is \(response.version ?? "unknown"), but should be \(version).", at: span)
    }
    if let (code, span) = expectation.status, response.status != code {
      fail("The status is \(response.status), but should be \(code).", at: span)
    }
  }

  mutating func checkFields(_ fields: [Parameter]) {
    for field in fields {
      do throws(FileFault) {
        let (name, expected) = (try environment.text(field.name), try environment.text(field.value))
        let values = response.values(of: name)
        guard !values.contains(expected) else { continue }
        let found =
          values.isEmpty
          ? "missing" : values.map { Value.text($0).shown }.joined(separator: " and ")
        fail(
          "The field \(name) is \(found), but should be \(Value.text(expected).shown).", at: field.value.span)
      } catch {
        failures.append(error)
      }
    }
  }

  mutating func check(_ body: Body, at span: Span) {
    do throws(FileFault) {
      switch body {
      case .text(let template, .json):
        let expected = Array(try environment.jsonText(template).utf8)
        let wanted: Value
        do throws(JSONText.Fault) {
          wanted = try JSONText.value(expected)
        } catch {
          throw FileFault("The expected content is no JSON: \(error.reason).", at: span)
        }
        if let difference = JSONText.difference(try parsedJSON(at: span), from: wanted) {
          fail("The content differs: \(difference).", at: span)
        }
      case .text(let template, _): checkContent(Array(try environment.text(template).utf8), at: span)
      case .bytes(let bytes, _): checkContent(bytes, at: span)
      case .file(let path): checkContent(try content(ofFile: path), at: span)
      case .pieces: break
      }
    } catch {
      failures.append(error)
    }
  }

  private mutating func checkContent(_ expected: [UInt8], at span: Span) {
    guard response.body != expected else { return }
    let place = zip(response.body, expected).prefix { $0 == $1 }.count
    let line = expected[..<place].count { $0 == 0x0A } + 1
    let isText = [response.body, expected].allSatisfy { String(validating: $0, as: UTF8.self) != nil }
    guard isText else {
      fail(
        "The content has \(response.body.count) bytes and differs at byte \(place) from the \(expected.count) expected ones.",
        at: span)
      return
    }
    func shownLine(_ bytes: [UInt8]) -> String {
      let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
      return Value.text(String(decoding: bytes[start..<end], as: UTF8.self)).shown
    }
    fail(
      "The content differs in line \(line): it is \(shownLine(response.body)), but should be \(shownLine(expected)).",
      at: span)
  }

  private func content(ofFile path: Template) throws(FileFault) -> [UInt8] {
    switch tools.file(try environment.text(path)) {
    case .success(let bytes): return bytes
    case .failure(let error): throw FileFault(error.message, at: path.span)
    }
  }

  private mutating func parsedJSON(at span: Span) throws(FileFault) -> Value {
    let parsed: Result<Value, JSONText.Fault>
    if let json {
      parsed = json
    } else {
      do throws(JSONText.Fault) {
        parsed = .success(try JSONText.value(response.body))
      } catch {
        parsed = .failure(error)
      }
      json = parsed
    }
    switch parsed {
    case .success(let value): return value
    case .failure(let fault):
      throw FileFault(
        "The content of the response is no JSON: \(fault.reason) (byte \(fault.offset)).", at: span,
        kind: .assertion)
    }
  }

  private func bodyText(at span: Span) throws(FileFault) -> String {
    let type = response.values(of: "Content-Type").first?.lowercased() ?? ""
    let charset = type.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
      .first { $0.hasPrefix("charset=") }?.dropFirst("charset=".count)
    return try ValueFilters.decoded(response.body, charset: String(charset ?? "utf-8"), at: span)
  }

  // MARK: Queries

  mutating func capture(_ captures: [Capture]) {
    for capture in captures {
      do throws(FileFault) {
        guard let value = try value(of: capture.query) else {
          fail("The query finds nothing, so that \(capture.name) has no value.", at: capture.query.span)
          continue
        }
        // A variable that is captured from a secret one is a secret, too.
        environment.set(
          capture.name, value, isSecret: capture.isSecret || isSecret(capture.query))
      } catch {
        failures.append(error)
      }
    }
  }

  private func isSecret(_ query: Query) -> Bool {
    guard case .variable(let name) = query.kind, let name = try? environment.text(name) else { return false }
    return environment.isSecret(name)
  }

  private mutating func value(of query: Query) throws(FileFault) -> Value? {
    guard var value = try source(of: query) else { return nil }
    for filter in query.filters {
      guard let filtered = try ValueFilters(environment: environment).apply(filter, to: value) else {
        return nil
      }
      value = filtered
    }
    return value
  }

  private mutating func source(of query: Query) throws(FileFault) -> Value? {
    switch query.kind {
    case .status: return .integer(response.status)
    case .version: return response.version.map { .text(String($0.dropFirst("HTTP/".count))) }
    case .url: return .text(response.url)
    case .address: return response.address.map { .text($0) }
    case .header(let name):
      let values = response.values(of: try environment.text(name))
      return values.count <= 1 ? values.first.map { .text($0) } : .list(values.map { .text($0) })
    case .cookie(let name): return SetCookie.value(try environment.text(name), in: response)
    case .body: return .text(try bodyText(at: query.span))
    case .bytes: return .bytes(response.body)
    case .jsonPath(let path):
      let root = try parsedJSON(at: query.span)
      return try ValueFilters(environment: environment).value(at: path, in: root)
    case .regex(let pattern):
      return try ValueFilters(environment: environment)
        .group(of: pattern, in: try bodyText(at: query.span), at: query.span)
    case .variable(let name): return environment.variable(try environment.text(name))
    case .duration:
      let (seconds, attoseconds) = response.duration.components
      return .integer(Int(seconds) * 1_000 + Int(attoseconds / 1_000_000_000_000_000))
    case .digest(let digest): return .bytes(tools.digest(digest, response.body))
    }
  }

  // MARK: Assertions

  mutating func check(_ assertion: Assertion) {
    do throws(FileFault) {
      let value = try value(of: assertion.query)
      let outcome = try outcome(of: assertion.predicate.kind, value)
      let predicate = assertion.predicate
      guard outcome.holds == predicate.isNegated || outcome.mismatch != nil else { return }
      let subject =
        if let value {
          isSecret(assertion.query)
            ? "The value is ██" : "The value is \(environment.scrubber.text(value.shown))"
        } else {
          "The query finds nothing"
        }
      let mismatch = outcome.mismatch.map { ", \($0)" } ?? ""
      fail(
        "\(subject), but should \(predicate.isNegated ? "not " : "")\(outcome.wish)\(mismatch).",
        at: predicate.span)
    } catch {
      failures.append(error)
    }
  }

  private struct Outcome {
    var holds: Bool
    /// What the predicate requires, such as "be 5".
    let wish: String
    /// Why the predicate can't be applied to the value.
    var mismatch: String?
  }

  private func outcome(of kind: Predicate.Kind, _ value: Value?) throws(FileFault) -> Outcome {
    switch kind {
    case .exists: return Outcome(holds: value != nil, wish: "exist")
    case .isType(let test):
      return Outcome(
        holds: value.map { TypeTests.holds(test, $0) } ?? false, wish: "satisfy \(test.rawValue)",
        mismatch: value == nil ? "which \(test.rawValue) can't test" : nil)
    case .isEmpty:
      let count = value.flatMap { ValueFilters.count($0) }
      return Outcome(
        holds: count == 0, wish: "be empty", mismatch: count == nil ? "which has no elements" : nil)
    case .equal(let operand):
      let expected = try self.value(of: operand)
      return Outcome(holds: value?.equals(expected) ?? false, wish: "be \(expected.shown)")
    case .unequal(let operand):
      let expected = try self.value(of: operand)
      return Outcome(
        holds: value.map { !$0.equals(expected) } ?? false, wish: "be other than \(expected.shown)",
        mismatch: value == nil ? "which has no value to compare" : nil)
    case .greater(let operand):
      return try order(value, operand, "be greater than") { $0 == .descending }
    case .greaterOrEqual(let operand):
      return try order(value, operand, "be at least") { $0 != .ascending }
    case .less(let operand): return try order(value, operand, "be less than") { $0 == .ascending }
    case .lessOrEqual(let operand): return try order(value, operand, "be at most") { $0 != .descending }
    case .hasPrefix(let operand):
      return try parts(value, operand, "begin with") { $0.starts(with: $1) }
    case .hasSuffix(let operand):
      return try parts(value, operand, "end with") { $0.reversed().starts(with: $1.reversed()) }
    case .contains(let operand), .includes(let operand):
      if case .list(let items)? = value {
        let expected = try self.value(of: operand)
        return Outcome(holds: items.contains { $0.equals(expected) }, wish: "contain \(expected.shown)")
      }
      return try parts(value, operand, "contain") { ByteSearch.contains($0, $1) }
    case .matches(let source):
      let filters = ValueFilters(environment: environment)
      let (pattern, span) = try filters.pattern(source)
      guard case .text(let text)? = value else {
        return Outcome(holds: false, wish: "match the pattern", mismatch: "which is not a string")
      }
      return Outcome(
        holds: try filters.match(pattern, in: text, at: span) != nil, wish: "match the pattern")
    }
  }

  private func order(
    _ value: Value?, _ operand: Operand, _ wish: String, _ condition: (Value.Order) -> Bool
  ) throws(FileFault) -> Outcome {
    let expected = try self.value(of: operand)
    let wish = "\(wish) \(expected.shown)"
    guard let order = value?.order(to: expected) else {
      let kinds = value.map { "because \($0.kindName) can't be compared with \(expected.kindName)" }
      return Outcome(holds: false, wish: wish, mismatch: kinds ?? "which has no value to compare")
    }
    return Outcome(holds: condition(order), wish: wish)
  }

  private func parts(
    _ value: Value?, _ operand: Operand, _ wish: String, _ condition: ([UInt8], [UInt8]) -> Bool
  ) throws(FileFault) -> Outcome {
    let expected = try self.value(of: operand)
    let wish = "\(wish) \(expected.shown)"
    switch (value, expected) {
    case (.text(let text)?, .text(let part)):
      return Outcome(holds: condition(Array(text.utf8), Array(part.utf8)), wish: wish)
    case (.bytes(let bytes)?, .bytes(let part)):
      return Outcome(holds: condition(bytes, part), wish: wish)
    case (.bytes(let bytes)?, .text(let part)):
      return Outcome(holds: condition(bytes, Array(part.utf8)), wish: wish)
    default:
      let kinds = value.map { "because \($0.kindName) can't be compared with \(expected.kindName)" }
      return Outcome(holds: false, wish: wish, mismatch: kinds ?? "which has no value to compare")
    }
  }

  private func value(of operand: Operand) throws(FileFault) -> Value {
    switch operand {
    case .value(let value): return value
    case .text(let template): return .text(try environment.text(template))
    case .expression(let expression): return try environment.value(expression)
    case .file(let path): return .bytes(try content(ofFile: path))
    }
  }
}
