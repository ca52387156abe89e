import Foundation
import HTTPTypes
public import Inspection
import Interception

/// The calls of an archive, or of a file in which an inspector keeps calls.
public struct RecordedCalls: Sendable {
  /// The calls, in the order of their beginning.
  public let calls: [RecordedCall]
  /// The entries that could not be read, such as those without a URL.
  public let omittedCount: Int

  /// Reads an archive.
  ///
  /// The library's own archives name the call of each entry. In those of others a redirect and the request
  /// that it leads to are one call.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unreadable`` if it is not an archive.
  public init(archive bytes: [UInt8], hiding hidden: HiddenValues) throws(ToolFailure) {
    let document = try HTTPArchive(bytes)
    let entries = Self.sorted(document)
    var groups: [[RecordedCall.Exchange]] = []
    var times: [String] = []
    var known: [String: Int] = [:]
    var omitted = document.log.entries.count - entries.count
    for entry in entries {
      let own = OwnComment(entry.comment)
      guard let exchange = Self.exchange(of: entry, own, hidden) else {
        omitted += 1
        continue
      }
      let name = own.map { "request \($0.request)" } ?? "url \(entry.request.url)"
      // The URL that a redirect names is expected once.
      let group = own == nil ? known.removeValue(forKey: name) : known[name]
      if let group {
        groups[group].append(exchange)
      } else {
        groups.append([exchange])
        times.append(entry.startedDateTime)
      }
      let index = group ?? groups.count - 1
      if own != nil {
        known[name] = index
      } else if let target = Self.redirectTarget(of: entry) {
        known["url \(target)"] = index
      }
    }
    calls = zip(groups, times).enumerated().map { index, call in
      RecordedCall(number: index + 1, startedAt: call.1, exchanges: call.0)
    }
    omittedCount = omitted
  }

  /// Reads the calls that an inspector has kept, under the numbers that it gave them.
  ///
  /// - Throws: ``ToolFailure`` with ``ExitStatus/unreadable`` if a call's archive can't be read.
  public init(kept: [ArchivedCall]) throws(ToolFailure) {
    var calls: [RecordedCall] = []
    var omitted = 0
    for call in kept {
      let document = try HTTPArchive(call.archive)
      let entries = Self.sorted(document)
      let exchanges = entries.compactMap {
        Self.exchange(of: $0, OwnComment($0.comment) ?? .unknown, HiddenValues())
      }
      omitted += document.log.entries.count - exchanges.count
      guard let first = entries.first, !exchanges.isEmpty else { continue }
      calls.append(
        RecordedCall(
          number: call.number, startedAt: first.startedDateTime, exchanges: exchanges,
          endingWith: KeptSummary.word(of: call.summary)))
    }
    self.calls = calls
    omittedCount = omitted
  }

  /// The readable entries in the order of their time.
  private static func sorted(_ document: HTTPArchive) -> [HTTPArchive.Entry] {
    let entries = document.log.entries.compactMap(\.value)
    // Entries of the same millisecond remain in their order.
    return entries.compactMap { entry in entry.time.map { ($0, entry) } }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  private static func exchange(
    of entry: HTTPArchive.Entry, _ own: OwnComment?, _ hidden: HiddenValues
  ) -> RecordedCall.Exchange? {
    guard let method = HTTPRequest.Method(entry.request.method) else { return nil }
    var shown = hidden.shown(of: entry, isRedacted: own != nil)
    guard (try? Request(shown.url, method: method)) != nil else { return nil }
    let status = entry.response.status ?? 0
    // The library's comment names an error, or says that the reader released the body.
    let isReleased = entry.response.comment == "dropped by its reader"
    let hasFailed = status == 0 || own != nil && entry.response.comment != nil && !isReleased
    let ending: RecordedCall.Ending
    if hasFailed {
      let label = FailureLabel.label(comment: entry.response.comment, browserError: entry.response._error)
      if (100...999).contains(status) {
        shown.gaps.append("the response had the status \(status), and its content failed")
      }
      ending = .failed(label: label)
    } else {
      guard (100...999).contains(status) else { return nil }
      ending = .answered(status: status, shown.responseFields, body: shown.responseBody)
    }
    if isReleased { shown.gaps.append("the reader released the content before its end") }
    if entry.isFromCache { shown.gaps.append("a cache responded, and the test treats that as a server") }
    return RecordedCall.Exchange(
      attempt: own?.attempt ?? 1, method: method, url: shown.url, fields: shown.requestFields,
      body: shown.requestBody, ending: ending, gaps: shown.gaps)
  }

  /// The URL to which a response of a foreign archive redirects.
  private static func redirectTarget(of entry: HTTPArchive.Entry) -> String? {
    guard let status = entry.response.status, (300...399).contains(status) else { return nil }
    let location = entry.response.headers?.first { $0.name.lowercased() == "location" }?.value
    guard let target = location ?? entry.response.redirectURL, !target.isEmpty else { return nil }
    return URL(string: target, relativeTo: URL(string: entry.request.url))?.absoluteString
  }
}

/// What the library's comment of an entry names.
private struct OwnComment {
  let request: String
  let attempt: Int

  static let unknown = OwnComment(request: "", attempt: 1)

  private init(request: String, attempt: Int) { (self.request, self.attempt) = (request, attempt) }

  /// Reads a comment such as "request 17, attempt 2, estate/houses.list".
  init?(_ comment: String?) {
    guard let comment, let match = comment.prefixMatch(of: /request ([^, ]+), attempt ([0-9]+)/),
      let attempt = Int(match.2)
    else { return nil }
    self.init(request: String(match.1), attempt: attempt)
  }
}

/// The outcome of a call that an inspector has kept.
private struct KeptSummary: Decodable {
  let status: Int?
  let error: Failure?

  struct Failure: Decodable {
    let kind: String
  }

  /// Returns the label of the call's error, or its status.
  static func word(of bytes: [UInt8]) -> String? {
    let summary = try? JSONDecoder().decode(KeptSummary.self, from: Data(bytes))
    return summary?.error?.kind ?? summary?.status.map(String.init)
  }
}
