import HTTPTypes
import Interception
import RequestLogging

/// The course of a request to which rules apply.
struct InterventionCourse {
  private let interceptor: InterventionInterceptor
  private let steps: [InterventionProgress.Step]
  private let original: Request
  private let recorders: [any AlterationRecorder]
  private var request: Request
  private var simulated: SimulatedTime
  /// The names of the rules by which the response isn't the server's to the original request.
  private var altering: [String] = []
  /// Whether all of them permit that the response is stored.
  private var isStorable = true

  init(
    of interceptor: InterventionInterceptor, _ steps: [InterventionProgress.Step], _ request: Request,
    recorders: [any CallRecorder]
  ) {
    self.interceptor = interceptor
    self.steps = steps
    original = request
    self.request = request
    self.recorders = recorders.compactMap { $0 as? any AlterationRecorder }
    simulated = SimulatedTime(timeouts: request.options.timeouts)
  }

  /// Applies the rules in their order, sends the request unless one of them answers it, and applies those
  /// that concern its response.
  mutating func run(_ next: some Dispatcher) async throws -> Response {
    var answer: Response?
    for step in steps where answer == nil { answer = try await begin(step) }
    var response: Response
    if let answer { response = answer } else { response = try await next.dispatch(request) }
    for step in steps {
      switch step.rule.action {
      case .network(let network): response = try await received(response, over: network)
      case .pause(.response): response = try await edited(response, step.rule)
      case .answer, .fail, .delay, .pause(.request): break
      }
    }
    return marked(response)
  }

  /// Applies a rule before the request is sent, and returns a response if it isn't to be sent.
  private mutating func begin(_ step: InterventionProgress.Step) async throws -> Response? {
    let rule = step.rule
    switch rule.action {
    case .delay(let duration):
      note(rule, "delayed by \(duration)")
      try await wait(simulated.add(silence: duration), rule)
    case .network(let network):
      note(rule, "sent as over the network \"\(network.name)\"")
      guard !network.isOffline else { throw failure(.offline, rule) }
      try await wait(
        simulated.add(transfer: network.sendingTime(of: request.body.length), silence: network.latency), rule)
      if step.isLost { throw failure(.transport, rule) }
    case .pause(.request): return try await editedRequest(rule)
    case .pause(.response): break
    case .answer(let answer):
      note(rule, "answered with \(answer.status.code)")
      alter(by: rule, isStorable: answer.isStorable)
      return answer.response(to: request.head.method)
    case .fail(let kind):
      let error = failure(kind, rule)
      note(rule, "failed with \(error.label)")
      throw error
    }
    return nil
  }

  private func wait(_ wait: SimulatedTime.Wait, _ rule: InterventionRule) async throws {
    if wait.duration > .zero { try await interceptor.time.sleep(for: wait.duration) }
    if let phase = wait.expired { throw failure(.timeout(phase), rule) }
  }

  private func note(_ rule: InterventionRule, _ effect: String) {
    let alteration = CallAlteration(rule: rule.name, effect: effect)
    for recorder in recorders { recorder.note(alteration, of: request) }
  }

  private mutating func alter(by rule: InterventionRule, isStorable: Bool = false) {
    altering.append(rule.name)
    self.isStorable = self.isStorable && isStorable
  }

  private func failure(_ kind: NetworkError.Kind, _ rule: InterventionRule) -> NetworkError {
    // A real failure of these kinds leaves it open.
    let mayHaveBeenProcessed =
      switch kind {
      case .transport, .protocolViolation, .timeout(.firstByte), .timeout(.idle), .timeout(.whole): true
      default: false
      }
    return NetworkError(
      kind,
      "The rule \"\(rule.name)\" of the interventions has failed the request; turn the rule off to reach the server.",
      requestMayHaveBeenProcessed: mayHaveBeenProcessed)
  }

  /// Returns a response with the field that marks it, if it isn't the server's to the original request.
  private func marked(_ response: Response) -> Response {
    guard !altering.isEmpty else { return response }
    var response = response
    if !isStorable { response.head.headerFields[.cacheControl] = "no-store" }
    response.head.headerFields[.alteredBy] = altering.joined(separator: ", ")
    return response
  }

  private mutating func received(
    _ response: Response, over network: InterventionRule.Network
  ) async throws -> Response {
    guard network.receivedBytesPerSecond != nil else { return response }
    switch response.body {
    case .bytes(let bytes):
      let wait = simulated.add(transfer: network.receivingTime(of: bytes.count))
      if wait.duration > .zero { try await interceptor.time.sleep(for: wait.duration) }
      if let phase = wait.expired {
        throw NetworkError(
          .timeout(phase),
          "The network \"\(network.name)\" of the interventions is too slow for the response; turn its rule off.",
          requestMayHaveBeenProcessed: true)
      }
      return response
    case .stream(let stream):
      let source = ThrottledByteSource(try stream.claim(), over: network, time: interceptor.time)
      return response.with(.stream(BodyStream(length: stream.length, ending: stream.ending, source)))
    }
  }
}

/// Pauses.
extension InterventionCourse {
  private mutating func editedRequest(_ rule: InterventionRule) async throws -> Response? {
    let request = request
    let edit = try await paused(by: rule) { try await $0.edit(request, pausedBy: rule.name) }
    switch edit {
    case .send(let edited):
      guard edited.head != request.head || edited.body.bytes != request.body.bytes else {
        note(rule, "paused before the request was sent, which continued unaltered")
        return nil
      }
      note(rule, "sent with a request that was edited")
      alter(by: rule)
      // Only what is sent is taken: another ID or another deadline would be another call's.
      self.request.head = edited.head
      self.request.body = edited.body
      return nil
    case .answer(let response):
      note(rule, "answered with \(response.status.code) while the request was paused")
      alter(by: rule)
      return response
    case nil: return nil
    }
  }

  private mutating func edited(_ response: Response, _ rule: InterventionRule) async throws -> Response {
    let (response, isWhole) = try await inMemory(response)
    guard isWhole, case .bytes(let bytes) = response.body else {
      note(rule, "not paused, because the response has more than \(interceptor.limits.bodyBytes) bytes")
      return response
    }
    let request = request
    let edit = try await paused(by: rule) {
      try await $0.edit(response, to: request, pausedBy: rule.name)
    }
    guard let edit else { return response }
    if case .bytes(let edited) = edit.body, edited == bytes, edit.head == response.head {
      note(rule, "paused when the response was received, which continued unaltered")
      return response
    }
    note(rule, "answered with a response that was edited")
    alter(by: rule)
    // The report is still that of the exchange.
    var edited = response.with(edit.body)
    edited.head = edit.head
    return edited
  }

  private enum PauseEnd<Edit: Sendable>: Sendable {
    case edited(Edit)
    case timeOver
  }

  /// Returns an edit; nil if there is no editor, or no time or room for it, and the call continues unaltered.
  private func paused<Edit: Sendable>(
    by rule: InterventionRule,
    _ edit: @escaping @Sendable (any InterventionEditor) async throws -> Edit
  ) async throws -> Edit? {
    guard let editor = interceptor.editor else {
      note(rule, "not paused, because there is no editor")
      return nil
    }
    guard interceptor.beginPause() else {
      note(rule, "not paused, because \(interceptor.limits.count) calls are paused")
      return nil
    }
    defer { interceptor.endPause() }
    let (time, limit) = (interceptor.time, interceptor.limits.duration)
    let end = try await withThrowingTaskGroup(of: PauseEnd<Edit>.self) { group in
      defer { group.cancelAll() }
      group.addTask { .edited(try await edit(editor)) }
      group.addTask {
        try await time.sleep(for: limit)
        return .timeOver
      }
      return try await group.next()
    }
    if case .edited(let edit) = end { return edit }
    note(rule, "continued unaltered, because it was paused for \(limit)")
    return nil
  }

  /// Returns a response whose body is in memory, or as it was if the body is too long.
  private func inMemory(_ response: Response) async throws -> (Response, isWhole: Bool) {
    let limit = interceptor.limits.bodyBytes
    guard case .stream(let stream) = response.body else {
      return (response, (response.body.length ?? 0) <= Int64(limit))
    }
    guard stream.length ?? 0 <= Int64(limit) else { return (response, false) }
    let source = try stream.claim()
    var bytes: [UInt8] = []
    while let chunk = try await source.read() {
      bytes += chunk
      guard bytes.count <= limit else {
        let rest = ResumedByteSource(bytes, source)
        return (response.with(.stream(BodyStream(length: stream.length, ending: stream.ending, rest))), false)
      }
    }
    return (response.with(.bytes(bytes)), true)
  }
}

/// A stream whose beginning has been read already.
final class ResumedByteSource: ByteSource {
  private let beginning: SingleUse<[UInt8]>
  private let rest: any ByteSource

  init(_ beginning: [UInt8], _ rest: any ByteSource) {
    self.beginning = SingleUse(beginning)
    self.rest = rest
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let beginning = beginning.take(), !beginning.isEmpty { return beginning }
    return try await rest.read()
  }

  func cancel() {
    _ = beginning.take()
    rest.cancel()
  }
}

extension HTTPField.Name {
  /// Names the rules that have altered a response.
  static let alteredBy = HTTPField.Name("Switchyard-Altered-By") ?? .via
}
