import HTTPTypes
import Interception

/// Decides whether a stored response could be used, by the text of RFC 9111 and of RFC 5861, apart from the
/// package's code.
///
/// It knows when the server has made each response, so it needs no estimate of ages: section 4.2.3 lets a
/// cache take a response for older than it is, never for younger.
package struct FreshnessOracle {
  /// The field that names the reply from which a response descends.
  static let stampField = HTTPField.Name("Simulated-Reply") ?? .from

  private struct Made {
    let moment: Moment
    var time: Duration { moment.time }
    var arrival: Duration?
    let control: [String: Int?]
    /// The fields by which the response was selected; nil if nothing is known to select it.
    let selecting: [HTTPField.Name: String?]?
  }

  private var replies: [Int: Made] = [:]
  private var clockSettings = 0
  private var uncertainUntil: Moment?
  private var written: [String: [(moment: Moment, version: Int)]] = [:]

  mutating func replied(_ reply: Response, to request: Request, at moment: Moment) {
    guard let stamp = reply.head.headerFields[Self.stampField].flatMap({ Int($0) }) else { return }
    let names = (reply.head.headerFields[.vary] ?? "").split { ", ".contains($0) }
    var selecting: [HTTPField.Name: String?]? = names.contains("*") ? nil : [:]
    for name in names.compactMap({ HTTPField.Name(String($0)) }) {
      selecting?[name] = .some(request.head.headerFields[name])
    }
    replies[stamp] = Made(
      moment: moment, control: Self.directives(reply.head.headerFields[.cacheControl] ?? ""),
      selecting: selecting)
  }

  mutating func arrived(_ reply: Response, at time: Duration) {
    guard let stamp = reply.head.headerFields[Self.stampField].flatMap({ Int($0) }) else { return }
    if replies[stamp]?.arrival == nil { replies[stamp]?.arrival = time }
  }

  /// The caller has learnt that a write has made a version.
  mutating func wrote(_ content: Content, at moment: Moment) {
    written[content.resource, default: []].append((moment, content.version))
  }

  /// The device's clock was set.
  mutating func clockWasSet() { clockSettings += 1 }

  /// The process was started again.
  ///
  /// If the clock was set before, the age of a response that was stored before the start is unknown.
  mutating func restarted(at moment: Moment) {
    if clockSettings > 0 { uncertainUntil = moment }
  }

  /// When the caller has learnt of writes.
  var writeEnds: [Duration] { written.values.joined().map(\.moment.time).sorted() }

  /// The newest version of which the caller knew before a moment.
  func versionWritten(_ resource: String, before moment: Moment) -> Int? {
    written[resource]?.filter { $0.moment < moment }.map(\.version).max()
  }

  /// Returns why a response must not have been used; nil if it could be.
  func fault(of response: Response, for call: Call, at now: Duration) -> String? {
    guard let made = response.head.headerFields[Self.stampField].flatMap({ Int($0) }).flatMap({ replies[$0] })
    else { return nil }
    if let uncertainUntil, made.moment < uncertainUntil { return nil }
    // Dates have whole seconds.
    let (age, control) = (now - made.time - .seconds(1), made.control)
    func seconds(_ name: String) -> Duration? { (control[name] ?? nil).map { .seconds($0) } }
    var lifetime = seconds("max-age") ?? .zero
    // The lifetime of an app's own rule begins when the response arrives.
    if let timed = call.timed {
      let own = timed + (made.arrival ?? made.time) - made.time
      lifetime = control.keys.contains("max-age") ? min(lifetime, own) : own
    }
    let mustConfirm = control.keys.contains("no-cache") || control.keys.contains("must-revalidate")
    switch response.exchange.cache {
    case .hit:
      guard let selecting = made.selecting else { return "its Vary is \"*\" (section 4.1)" }
      for (name, value) in selecting where call.selectingField(name) != value {
        return "it was selected by another \(name) (section 4.1)"
      }
      if control.keys.contains("no-store") { return "it was not to be stored (section 5.2.2.5)" }
      if control.keys.contains("no-cache") { return "it was to be confirmed (section 5.2.2.4)" }
      if age <= lifetime {
        return call.mode == .revalidate || call.mode == .reload ? "the call asked the server" : nil
      }
      if mustConfirm { return "it was stale, and to be confirmed (section 5.2.2.2)" }
      if call.mode == .preferStored || call.mode == .onlyStored { return nil }
      if call.timed == nil, let window = seconds("stale-while-revalidate"), age <= lifetime + window {
        return nil
      }
      return "it was stale for \(age - lifetime) (section 4.2)"
    case .staleOnError:
      if mustConfirm { return "it was to be confirmed (section 4.2.4)" }
      guard let window = seconds("stale-if-error"), age <= lifetime + window else {
        return "it was stale for \(age - lifetime), and the server had not allowed it (RFC 5861, section 4)"
      }
      return nil
    default: return nil
    }
  }

  private static func directives(_ text: String) -> [String: Int?] {
    var result: [String: Int?] = [:]
    for part in text.split(separator: ",") {
      let pair = part.split(separator: "=").map { $0.filter { $0 != " " } }
      guard let name = pair.first else { continue }
      result[name] = .some(pair.count > 1 ? Int(pair[1]) : nil)
    }
    return result
  }
}
