import BodyFormats
import Cryptography
import HTTPTypes
import Interception

/// Reads rules from JSON, and collects all faults.
struct InterventionReader {
  /// The maximum number of faults that are listed.
  private static let faultLimit = 50
  private static let actions = ["answer", "fail", "delay", "network", "pause"]

  private let bytes: [UInt8]
  /// The folder of the files with contents, with a slash at its end; nil if there is none.
  private let folder: String?
  private(set) var faults: [InterventionError.Fault] = []
  /// The files that were read, so that several rules can name one.
  private var files: [String: [UInt8]] = [:]

  init(bytes: [UInt8], folder: String?) {
    self.bytes = bytes
    self.folder = folder
  }

  /// Returns the rules, of which some are missing if there are faults.
  mutating func read() -> [InterventionRule] {
    let document: JSONDocument
    do {
      document = try JSONDocument(
        bytes, maximumDepth: InterventionRules.maximumDepth,
        maximumLength: InterventionRules.maximumFileLength)
    } catch {
      note(error)
      return []
    }
    guard
      let members = self.members(
        of: document, knowing: ["version", "rules"], requiring: ["version", "rules"])
    else { return [] }
    if let value = members["version"], let version = self.value(Int.self, of: value),
      version != InterventionRules.version
    {
      note(
        value,
        "is \(version), but this library knows version \(InterventionRules.version); update the "
          + "library, or write the rules in that version")
    }
    guard let list = members["rules"], let elements = self.value([JSONDocument].self, of: list) else {
      return []
    }
    guard elements.count <= InterventionRules.maximumCount else {
      note(list, "has \(elements.count) rules; keep at most \(InterventionRules.maximumCount)")
      return []
    }
    var names: Set<String> = []
    return elements.compactMap { element in
      guard let rule = self.rule(element) else { return nil }
      if !names.insert(rule.name).inserted {
        note(element, "has the name \"\(Self.shown(rule.name))\" of an earlier rule; rename one of them")
      }
      return rule
    }
  }

  private mutating func rule(_ json: JSONDocument) -> InterventionRule? {
    guard
      let members = self.members(
        of: json, knowing: ["name", "on", "match", "times"] + Self.actions, requiring: ["name", "match"])
    else { return nil }
    let name = members["name"].flatMap { self.name($0) }
    let match = members["match"].flatMap { self.match($0) }
    let isOn = members["on"].map { self.value(Bool.self, of: $0) } ?? true
    let times = members["times"].flatMap { number(Int.self, of: $0, in: 1...1_000_000) }
    let named = Self.actions.filter { members[$0] != nil }
    let list = Self.actions.map { "\"\($0)\"" }.joined(separator: ", ")
    guard named.count == 1, let key = named.first, let value = members[key] else {
      let found = named.isEmpty ? "no action" : "the actions \(named.joined(separator: " and "))"
      note(json, "has \(found); use exactly one of \(list)")
      return nil
    }
    guard let action = self.action(key, value), let name, let match, let isOn else { return nil }
    return InterventionRule(name, matching: match, times: times, isOn: isOn, action)
  }

  private mutating func name(_ json: JSONDocument) -> String? {
    guard let name = self.value(String.self, of: json) else { return nil }
    let isShown = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    guard !name.isEmpty, name.utf8.count <= 100, isShown else {
      note(json, "should have 1 to 100 bytes without control characters")
      return nil
    }
    return name
  }

  private mutating func match(_ json: JSONDocument) -> InterventionRule.Match? {
    guard
      let members = self.members(of: json, knowing: ["method", "host", "path", "query", "service", "api"])
    else { return nil }
    var match = InterventionRule.Match()
    if let method = members["method"], let text = value(String.self, of: method) {
      match.method = HTTPRequest.Method(text)
      if match.method == nil { note(method, "is no method; use one such as \"GET\"") }
    }
    match.host = members["host"].flatMap { value(String.self, of: $0) }
    match.path = members["path"].flatMap { value(String.self, of: $0) }
    match.query = members["query"].flatMap { value([String: String].self, of: $0) } ?? [:]
    match.service = members["service"].flatMap { value(String.self, of: $0) }
    match.api = members["api"].flatMap { value(String.self, of: $0) }
    if let path = members["path"], let pattern = match.path {
      if pattern.contains(where: { $0 == "?" || $0 == "#" }) {
        note(path, "has a query; give its names and values as \"query\"")
      } else if !pattern.hasPrefix("/"), !pattern.hasPrefix("*") {
        note(path, "matches no path; begin it with \"/\" or \"*\"")
      }
    }
    return match
  }

  private mutating func action(_ key: String, _ json: JSONDocument) -> InterventionRule.Action? {
    switch key {
    case "answer": return answer(json).map { .answer($0) }
    case "fail":
      let labels = NetworkError.Kind.ofInterventions.map(\.label)
      guard let label = word(json, labels) else { return nil }
      return NetworkError.Kind.ofInterventions.first { $0.label == label }.map { .fail($0.kind) }
    case "delay":
      return number(Double.self, of: json, in: 0...3_600).map { .delay(Self.duration($0)) }
    case "network": return network(json).map { .network($0) }
    default:
      return word(json, InterventionRule.Moment.allCases.map(\.rawValue))
        .flatMap(InterventionRule.Moment.init).map { .pause($0) }
    }
  }

  private mutating func network(_ json: JSONDocument) -> InterventionRule.Network? {
    if json.kind == .string {
      let named = InterventionRule.Network.named
      return word(json, named.map(\.name)).flatMap { name in named.first { $0.name == name } }
    }
    guard
      let members = self.members(of: json, knowing: ["name", "latency", "sent", "received", "loss", "seed"])
    else { return nil }
    var network = InterventionRule.Network()
    if let json = members["name"] { network.name = self.name(json) ?? "" }
    if let json = members["latency"], let seconds = number(Double.self, of: json, in: 0...3_600) {
      network.latency = Self.duration(seconds)
    }
    let rates = 1...1_000_000_000_000
    network.sentBytesPerSecond = members["sent"].flatMap { number(Int.self, of: $0, in: rates) }
    network.receivedBytesPerSecond = members["received"].flatMap { number(Int.self, of: $0, in: rates) }
    if let json = members["loss"], let loss = number(Double.self, of: json, in: 0...1) { network.loss = loss }
    if let json = members["seed"], let seed = value(UInt64.self, of: json) { network.seed = seed }
    return network
  }

  private static func duration(_ seconds: Double) -> Duration {
    .microseconds(Int64((seconds * 1e6).rounded()))
  }
}

/// Answers.
extension InterventionReader {
  private static let contents = ["json", "text", "base64", "file"]
  private static let archiveKeys = ["har", "entry"]

  private mutating func answer(_ json: JSONDocument) -> InterventionRule.Answer? {
    guard
      let members = self.members(
        of: json, knowing: ["status", "fields", "storable"] + Self.contents + Self.archiveKeys)
    else {
      return nil
    }
    var answer = InterventionRule.Answer()
    if let archive = members["har"] { return archived(archive, members) }
    if let entry = members["entry"] { note(entry, "is the number of an entry of an archive; add \"har\"") }
    if let json = members["status"], let code = number(Int.self, of: json, in: 200...599) {
      answer.status = HTTPResponse.Status(code: code)
    }
    if let json = members["storable"] { answer.isStorable = value(Bool.self, of: json) ?? false }
    if let json = members["fields"] { answer.headerFields = fields(json) }
    let named = Self.contents.filter { members[$0] != nil }
    guard let key = named.first, let json = members[key] else { return answer }
    guard named.count == 1 else {
      note(json, "is one of several contents (\(named.joined(separator: ", "))); keep one")
      return answer
    }
    if answer.status == .noContent || answer.status == .notModified {
      note(json, "is the content of a status that allows none; remove it, or change the status")
    }
    answer.body = content(key, json) ?? []
    if key == "json" || key == "file" && json.text.suffix(6).elementsEqual(".json\"".utf8),
      answer.headerFields[.contentType] == nil
    {
      answer.headerFields[.contentType] = "application/json"
    }
    return answer
  }

  /// Returns the answer of an archive's entry.
  private mutating func archived(
    _ json: JSONDocument, _ members: [String: JSONDocument]
  ) -> InterventionRule.Answer? {
    for key in ["status", "fields"] + Self.contents {
      if let other = members[key] { note(other, "stands beside \"har\", which has it; remove one of them") }
    }
    let isStorable = members["storable"].flatMap { value(Bool.self, of: $0) } ?? false
    guard let entry = members["entry"] else {
      note(json, "needs the key \"entry\" beside it, the number of an entry from 0; add it")
      return nil
    }
    guard let number = self.number(Int.self, of: entry, in: 0...1_000_000),
      let path = value(String.self, of: json),
      let archive = file(path, json, upTo: ArchivedAnswer.maximumFileLength)
    else { return nil }
    do throws(ArchivedAnswer.Fault) {
      var answer = try ArchivedAnswer.answer(number, of: archive)
      answer.isStorable = isStorable
      return answer
    } catch {
      note(json, error.problem)
      return nil
    }
  }

  private mutating func content(_ key: String, _ json: JSONDocument) -> [UInt8]? {
    guard key != "json" else { return Array(json.text) }
    guard let text = value(String.self, of: json) else { return nil }
    switch key {
    case "text": return Array(text.utf8)
    case "base64":
      let bytes = Base64.decode(Array(text.utf8)[...])
      if bytes == nil { note(json, "is not Base64; encode the content anew") }
      return bytes
    default: return file(text, json, upTo: InterventionRules.maximumFileLength)
    }
  }

  private mutating func file(
    _ path: String, _ json: JSONDocument, upTo maximum: Int
  ) -> [UInt8]? {
    if let known = files[path] { return known }
    guard let folder else {
      note(json, "is a file, but the rules have no folder; use \"json\", \"text\" or \"base64\"")
      return nil
    }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != ".." && $0 != "." }) else {
      note(json, "should be a path within the folder of the rules, without \"..\"")
      return nil
    }
    do throws(WholeFileFault) {
      let bytes = try WholeFile(path: folder + path).bytes(upTo: maximum)
      files[path] = bytes
      if bytes == nil { note(json, "names a file that does not exist; create it, or correct the path") }
      return bytes
    } catch {
      note(json, "names a file that can't be read: \(error.reason)")
      return nil
    }
  }

  private mutating func fields(_ json: JSONDocument) -> HTTPFields {
    guard let members = value([String: JSONDocument].self, of: json) else { return [:] }
    var fields = HTTPFields()
    for (key, json) in members.sorted(by: { $0.value.offset < $1.value.offset }) {
      guard let name = HTTPField.Name(key), !key.hasPrefix(":") else {
        note(json, "has a name that is no name of a header field; correct it")
        continue
      }
      let values =
        json.kind == .array ? value([String].self, of: json) : value(String.self, of: json).map { [$0] }
      for value in values ?? [] {
        guard HTTPField.isValidValue(value) else {
          note(json, "has a line break or another character that a header field can't have; remove it")
          continue
        }
        fields.append(HTTPField(name: name, value: value))
      }
    }
    return fields
  }
}

/// Values and faults.
extension InterventionReader {
  /// Returns the values of an object by their keys, and notes those that are unknown or missing.
  private mutating func members(
    of json: JSONDocument, knowing keys: [String], requiring required: [String] = []
  ) -> [String: JSONDocument]? {
    guard let members = value([String: JSONDocument].self, of: json) else { return nil }
    let unknown = members.filter { !keys.contains($0.key) }
    for (key, json) in unknown.sorted(by: { $0.value.offset < $1.value.offset }) {
      note(json, "is an unknown key; \(Suggestion.text(for: key, among: keys))")
    }
    for key in required where members[key] == nil { note(json, "needs the key \"\(key)\"; add it") }
    return members
  }

  private mutating func value<Value: JSONReadable>(_ type: Value.Type, of json: JSONDocument) -> Value? {
    do {
      return try Value(json: json)
    } catch {
      note(error as? BodyDecodingError ?? json.mismatch("can't be read"))
      return nil
    }
  }

  private mutating func number<Value: JSONReadable & Comparable>(
    _ type: Value.Type, of json: JSONDocument, in range: ClosedRange<Value>
  ) -> Value? {
    guard let number = self.value(type, of: json) else { return nil }
    guard range.contains(number) else {
      note(json, "should be \(range.lowerBound) to \(range.upperBound)")
      return nil
    }
    return number
  }

  /// Returns a text that is one of some words.
  private mutating func word(_ json: JSONDocument, _ words: [String]) -> String? {
    guard let text = value(String.self, of: json) else { return nil }
    guard words.contains(text) else {
      note(json, "is \"\(Self.shown(text))\"; \(Suggestion.text(for: text, among: words))")
      return nil
    }
    return text
  }

  private mutating func note(_ json: JSONDocument, _ problem: String) { note(json.mismatch(problem)) }

  private mutating func note(_ error: BodyDecodingError) {
    guard faults.count < Self.faultLimit else { return }
    let line = error.offset.map { JSONDocument.line(at: $0, in: bytes) }
    faults.append(InterventionError.Fault(line: line, sentence: error.reason))
  }

  /// Returns at most 100 characters of a text.
  private static func shown(_ text: String) -> String { String(text.prefix(100)) }
}

extension NetworkError.Kind {
  /// The failures that a file can name, by their labels.
  static let ofInterventions: [(label: String, kind: NetworkError.Kind)] = [
    NetworkError.Kind.offline, .resolve, .connect, .tls(.untrusted), .tls(.nameMismatch), .tls(.expired),
    .tls(.pinMismatch), .tls(.handshake), .timeout(.queue), .timeout(.connect), .timeout(.firstByte),
    .timeout(.idle), .timeout(.whole), .protocolViolation, .transport, .rejected,
  ].map { (NetworkError($0, "").label, $0) }
}

/// Suggests what a misspelled word was meant to be.
enum Suggestion {
  /// Returns the end of a sentence: the most similar word, or all of them.
  static func text(for word: String, among words: [String]) -> String {
    let nearest = words.map { (word: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= max(1, word.count / 3) { return "it is probably \"\(nearest.word)\"" }
    return "use one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// Returns the number of characters to insert, delete or replace, of the first 64 (Levenshtein).
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.lowercased().prefix(64)), Array(right.lowercased().prefix(64)))
    var row = Array(0...right.count)
    for (index, character) in left.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (place, other) in right.enumerated() {
        let replaced = diagonal + (character == other ? 0 : 1)
        diagonal = row[place + 1]
        row[place + 1] = min(replaced, diagonal + 1, row[place] + 1)
      }
    }
    return row[right.count]
  }
}
