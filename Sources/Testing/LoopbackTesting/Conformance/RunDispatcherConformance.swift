#if LoopbackTesting
import HTTPTypes
public import Interception
import SwitchyardTesting

/// Checks the requirements of ``/Interception/Dispatcher`` for a dispatcher, each with a new server.
///
/// ```swift
/// let report = try await runDispatcherConformance(
///   excluding: [.http2GoAway: "the library does not report it"]
/// ) { setting in
///   MyDispatcher(trusting: setting.authorityFile)
/// }
/// #expect(report.violations.isEmpty, "\(report)")
/// ```
///
/// - Parameters:
///   - cases: The cases to run; all by default. With Swift Testing, `arguments: ConformanceCase.all` creates
///     a test for each.
///   - abilities: The abilities of the dispatcher; a case that needs more is reported as lacking them.
///   - exclusions: The cases to skip, each with a reason, which is included in the report.
///   - limit: The maximum time for a case; a longer one is broken.
///   - certificates: The set whose authority the dispatcher trusts; by default that of this process.
///   - makeDispatcher: Creates a new dispatcher for each case.
/// - Throws: ``LoopbackError`` if certificates cannot be created, or any error of `makeDispatcher`.
public func runDispatcherConformance<Subject: Dispatcher>(
  _ cases: [ConformanceCase] = ConformanceCase.all, abilities: ConformanceNeeds = .all,
  excluding exclusions: [ConformanceCase: String] = [:], limit: Duration = .seconds(120),
  certificates: LoopbackCertificates? = nil,
  over makeDispatcher: @Sendable (ConformanceSetting) async throws -> Subject
) async throws -> ConformanceReport {
  let certificates = if let certificates { certificates } else { try await LoopbackCertificates() }
  let setting = ConformanceSetting(authorityFile: certificates.authorityFile)
  var entries: [ConformanceReport.Entry] = []
  for conformanceCase in cases {
    let missing = conformanceCase.needs.subtracting(abilities)
    let verdict: ConformanceReport.Verdict
    if let reason = exclusions[conformanceCase] {
      verdict = .excluded(reason)
    } else if !missing.isEmpty {
      verdict = .lacking(missing)
    } else {
      let context = ConformanceContext(
        dispatcher: try await makeDispatcher(setting), certificates: certificates,
        hasWire: abilities.contains(.wire))
      verdict = await conformanceCase.verdict(on: context, limit: limit)
    }
    entries.append(.init(conformanceCase: conformanceCase, verdict: verdict))
  }
  return ConformanceReport(entries: entries)
}

extension ConformanceCase {
  /// Runs the case; a case that exceeds the limit is cancelled and reported as broken.
  fileprivate func verdict(on context: ConformanceContext, limit: Duration) async -> ConformanceReport.Verdict
  {
    let found = WaitableValue<ConformanceReport.Verdict?>(nil)
    let work = Task {
      let verdict: ConformanceReport.Verdict
      do {
        try await run(context)
        verdict = .kept
      } catch {
        verdict = .broken("\(error)")
      }
      found.update { $0 = $0 ?? verdict }
    }
    let watch = Task {
      try await ContinuousClock().sleep(for: limit)
      found.update { $0 = $0 ?? .broken("it did not finish within \(limit)") }
    }
    // The watch ends the wait; its own limit is only the longer one.
    let verdict = try? await found.wait(within: limit + .seconds(20)) { $0 != nil }
    watch.cancel()
    work.cancel()
    return verdict.flatMap(\.self) ?? .broken("the run was cancelled")
  }
}

/// The environment that a dispatcher under test is created for.
public struct ConformanceSetting: Sendable {
  /// The PEM file of the only authority to trust.
  public let authorityFile: String

  /// Responds like the suite's server, but without connections; for scripted dispatchers.
  ///
  /// The delivery option and its limit apply; time limits do not.
  public func respond(to request: Request) async throws(NetworkError) -> Response {
    let body = try await request.body.collect(upTo: 64 << 20)
    let sent = try await request.trailers?.fields() ?? [:]
    let received = LoopbackRequest(
      head: request.head, body: body, trailers: sent, version: .http1, connection: 1, stream: 0)
    let response = ConformanceOrigin.response(to: received)
    var fields = response.fields
    if response.framing == .length, response.status != 204, response.status != 304 {
      fields[.contentLength] = "\(response.content.length)"
    }
    let hasContent = response.hasContent(for: request.head.method)
    let content = hasContent ? response.content.slice(0..<response.content.length) : []
    let head = HTTPResponse(status: HTTPResponse.Status(code: response.status), headerFields: fields)
    let whole = ResponseBody.bytes(content)
    let trailers = response.trailers.isEmpty ? nil : response.trailers
    switch request.options.delivery {
    case .buffered(let limit):
      _ = try await whole.collect(upTo: limit)
      return Response(head, body: whole, trailers: trailers)
    case .streamed:
      let ending = BodyStream.Ending()
      ending.finish(trailers: trailers)
      let stream = BodyStream(
        length: response.framing == .length ? Int64(content.count) : nil, ending: ending,
        BufferedByteSource(content))
      return Response(head, body: .stream(stream))
    }
  }
}

/// The result of a run of the conformance suite, case by case.
public struct ConformanceReport: Sendable {
  /// The result of a case.
  public enum Verdict: Sendable, Hashable {
    /// The requirement is met.
    case kept
    /// The requirement is violated in the described way.
    case broken(String)
    /// The case was excluded for a reason.
    case excluded(String)
    /// The dispatcher lacks abilities that the case needs.
    case lacking(ConformanceNeeds)
  }

  /// A case and its result.
  public struct Entry: Sendable {
    /// The case.
    public let conformanceCase: ConformanceCase
    /// The result.
    public let verdict: Verdict
  }

  /// The results, in the order of the suite.
  public let entries: [Entry]

  /// The violated requirements, as sentences.
  public var violations: [String] {
    entries.compactMap { entry in
      guard case .broken(let how) = entry.verdict else { return nil }
      return "\(entry.conformanceCase): \(how)"
    }
  }

  /// The excluded cases with their reasons.
  public var exclusions: [String] {
    entries.compactMap { entry in
      guard case .excluded(let reason) = entry.verdict else { return nil }
      return "\(entry.conformanceCase) (excluded: \(reason))"
    }
  }

  /// The number of requirements that are met.
  public var keptCount: Int { entries.count { $0.verdict == .kept } }

  /// Throws if a requirement is violated, for test frameworks that print thrown errors.
  public func check() throws {
    let violations = violations
    guard violations.isEmpty else { throw ConformanceError(violations.joined(separator: "\n")) }
  }
}

extension ConformanceReport: CustomStringConvertible {
  /// One line for each case, and one line of totals.
  public var description: String {
    let lines = entries.map { entry in
      switch entry.verdict {
      case .kept: "kept      \(entry.conformanceCase)"
      case .broken(let how): "BROKEN    \(entry.conformanceCase): \(how)"
      case .excluded(let reason): "excluded  \(entry.conformanceCase) (\(reason))"
      case .lacking(let needs): "lacking   \(entry.conformanceCase) (needs \(needs))"
      }
    }
    let sums =
      "\(entries.count) cases: \(keptCount) kept, \(violations.count) broken, \(exclusions.count) excluded, "
      + "\(entries.count - keptCount - violations.count - exclusions.count) lacking"
    return (lines + [sums]).joined(separator: "\n")
  }
}
#endif
