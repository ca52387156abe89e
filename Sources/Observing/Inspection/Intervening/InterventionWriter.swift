import BodyFormats
import Cryptography
import HTTPTypes
import Interception
import RequestLogging

/// Writes rules as JSON with an indentation, to be edited by hand.
enum InterventionWriter {
  private typealias Members = [(key: String, json: String)]

  static func document(of rules: [InterventionRule]) -> [UInt8] {
    let list = rules.map { object(Self.members(of: $0), depth: 2) }
    let array = list.isEmpty ? "[]" : "[\n    " + list.joined(separator: ",\n    ") + "\n  ]"
    let document: Members = [("version", "\(InterventionRules.version)"), ("rules", array)]
    return Array((object(document, depth: 0) + "\n").utf8)
  }

  private static func members(of rule: InterventionRule) -> Members {
    var members: Members = [("name", text(rule.name))]
    if !rule.isOn { members.append(("on", "false")) }
    members.append(("match", match(rule.match)))
    if let times = rule.times { members.append(("times", "\(times)")) }
    switch rule.action {
    case .answer(let answer): members.append(("answer", object(self.members(of: answer), depth: 3)))
    case .fail(let kind): members.append(("fail", text(NetworkError(kind, "").label)))
    case .delay(let duration): members.append(("delay", seconds(duration)))
    case .network(let network): members.append(("network", self.network(network)))
    case .pause(let moment): members.append(("pause", text(moment.rawValue)))
    }
    return members
  }

  private static func match(_ match: InterventionRule.Match) -> String {
    let query = match.query.sorted { $0.key < $1.key }.map { (key: $0.key, json: text($0.value)) }
    let values = [
      ("method", match.method.map { text($0.rawValue) }), ("host", match.host.map(text)),
      ("path", match.path.map(text)), ("query", query.isEmpty ? nil : line(query)),
      ("service", match.service.map(text)), ("api", match.api.map(text)),
    ]
    return line(values.compactMap { key, json in json.map { (key, $0) } })
  }

  private static func network(_ network: InterventionRule.Network) -> String {
    if InterventionRule.Network.named.contains(network) { return text(network.name) }
    var members: Members = [("name", text(network.name)), ("latency", seconds(network.latency))]
    if let rate = network.sentBytesPerSecond { members.append(("sent", "\(rate)")) }
    if let rate = network.receivedBytesPerSecond { members.append(("received", "\(rate)")) }
    if network.loss > 0 { members.append(("loss", "\(network.loss)")) }
    if network.seed > 0 { members.append(("seed", "\(network.seed)")) }
    return line(members)
  }

  private static func members(of answer: InterventionRule.Answer) -> Members {
    var members: Members = [("status", "\(answer.status.code)")]
    if answer.isStorable { members.append(("storable", "true")) }
    if !answer.headerFields.isEmpty { members.append(("fields", fields(answer.headerFields))) }
    guard !answer.body.isEmpty else { return members }
    let type = MediaTypeSyntax.essence(of: answer.headerFields.mediaType ?? "")
    if type.hasSuffix("json"), isJSON(answer.body) {
      members.append(("json", String(decoding: answer.body, as: UTF8.self)))
    } else if let text = String(validating: answer.body, as: UTF8.self) {
      members.append(("text", self.text(text)))
    } else {
      members.append(("base64", text(Base64.encode(answer.body))))
    }
    return members
  }

  /// Whether a body can be a part of the document as it is.
  private static func isJSON(_ body: [UInt8]) -> Bool {
    // Two levels less than the document, and four around the content.
    (try? JSONDocument(body, maximumDepth: InterventionRules.maximumDepth - 5)) != nil
      && body.first.map { $0 > 0x20 } == true && body.last.map { $0 > 0x20 } == true
  }

  private static func fields(_ fields: HTTPFields) -> String {
    var names: [HTTPField.Name] = []
    for field in fields where !names.contains(field.name) { names.append(field.name) }
    return line(
      names.map { name in
        let values = fields[values: name].map(text)
        return (name.rawName, values.count == 1 ? values[0] : "[" + values.joined(separator: ", ") + "]")
      })
  }

  private static func seconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    return "\(Double(seconds) + Double(attoseconds) / 1e18)"
  }

  private static func text(_ text: String) -> String {
    String(decoding: JSONValue.text(text).bytes, as: UTF8.self)
  }

  private static func line(_ members: Members) -> String {
    "{" + members.map { "\(text($0.key)): \($0.json)" }.joined(separator: ", ") + "}"
  }

  private static func object(_ members: Members, depth: Int) -> String {
    let indentation = String(repeating: "  ", count: depth)
    let lines = members.map { "\(indentation)  \(text($0.key)): \($0.json)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n\(indentation)}"
  }
}
