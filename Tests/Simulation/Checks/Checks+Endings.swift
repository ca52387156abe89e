import HTTPTypes
import Interception

extension Checks {
  /// A call has ended; without a response if its caller has received all before.
  func ended(_ id: Int, _ result: Result<(Response, [UInt8])?, NetworkError>) {
    guard let record = records[id] else { return }
    record.endings += 1
    let now = world.scheduler.now
    if record.endings > 1 { fail(.endsOnce, "call \(id) has ended \(record.endings) times") }
    guard !record.isAbandoned else { return }
    if let limit = record.call.limit, now > record.start.time + limit + .milliseconds(100) {
      fail(.endsOnce, "call \(id) ended at \(now), later than its limit of \(limit) after \(record.start)")
    }
    switch result {
    case .success(let (response, body)?): succeeded(record, record.call, response, body)
    case .success(nil): break
    case .failure(let error): failed(record, error)
    }
  }

  /// A call has received a stored response, and continues.
  func showed(_ id: Int, _ received: (Response, [UInt8])) {
    guard let record = records[id], !record.isAbandoned else { return }
    var call = record.call
    call.mode = .onlyStored
    succeeded(record, call, received.0, received.1)
  }

  private func failed(_ record: Record, _ error: NetworkError) {
    world.story.tell("call \(record.id) failed: \(error.label), \(error.reason)")
    count("error: \(error.label)")
    switch error.kind {
    case .cancelled(.task) where !record.isCancelled:
      fail(.endsOnce, "call \(record.id) was cancelled without a request to do so: \(error)")
    case .timeout(.call) where record.call.limit == nil:
      fail(.endsOnce, "call \(record.id) exceeded a limit that it doesn't have")
    default: break
    }
    for text in ["\(error)", error.reason, String(reflecting: error), error.label]
    where text.contains(World.secretMark) {
      fail(.secrets, "the error of call \(record.id) contains a secret: \(text)")
    }
    if !error.requestMayHaveBeenProcessed, record.call.isWrite,
      world.api.effects.contains(where: { $0.call == record.id })
    {
      fail(.effects, "call \(record.id) says that it was not processed, and it was: \(error)")
    }
  }

  private func succeeded(_ record: Record, _ call: Call, _ response: Response, _ body: [UInt8]) {
    let status = response.exchange.cache
    world.story.tell(
      "call \(record.id) ended: \(response.status.code) \(String(decoding: body, as: UTF8.self)) "
        + "\(status.map { "\($0)" } ?? "no cache")")
    count("status: \(response.status.code)")
    count("cache: \(Self.name(of: status))")
    if !response.exchange.redirects.isEmpty { count("redirects: \(response.exchange.redirects.count)") }
    if response.exchange.attempts > 1 { count("attempts: \(response.exchange.attempts)") }
    checkRepresentation(record, call, response, body)
    guard response.status == .ok, record.call.method != .head, FileBody(body) == nil else { return }
    guard let content = Content(body) ?? PageBody(body)?.content else {
      return fail(.endsOnce, "call \(record.id) got a body that no server has made: \(body.count) bytes")
    }
    let partition = record.partition ?? ""
    if !content.owner.isEmpty, content.owner != partition, !partition.hasPrefix("\u{0}login") {
      fail(.identity, "call \(record.id) of \"\(partition)\" got a response made for \(content.owner)")
    }
    let path = String(content.resource.prefix { $0 != " " })
    let variant = RepresentationServer.variant(of: path, version: content.version, call.selectingField)
    if !record.call.isWrite, content.language != variant {
      fail(.freshness, "call \(record.id) got the variant \"\(content.language)\", not \"\(variant)\"")
    }
    if record.call.isWrite {
      freshness.wrote(content, at: moment())
    } else {
      checkFreshness(of: content, response, for: call, since: record.start, "call \(record.id)")
    }
  }

  /// Checks that a response could be used by a call that has begun at a moment.
  func checkFreshness(
    of content: Content, _ response: Response, for call: Call, since start: Moment, _ caller: String
  ) {
    if let newer = freshness.versionWritten(content.resource, before: start), content.version < newer {
      fail(
        .freshness,
        "\(caller) got version \(content.version) of \(content.resource) after a write of "
          + "version \(newer) had ended")
    }
    var call = call
    // A client without a network asks for whatever is stored.
    if call.way != .pipeline, world.connectivity.wasDown(since: start) { call.mode = .onlyStored }
    guard let fault = freshness.fault(of: response, for: call, at: world.scheduler.now) else { return }
    fail(
      .freshness,
      "\(caller) got \(content.resource) by \(Self.name(of: response.exchange.cache)): \(fault)")
  }

  private static func name(of status: Exchange.CacheStatus?) -> String {
    switch status {
    case nil: "none"
    case .hit(let ttl, _): ttl < 0 ? "stale hit" : "hit"
    case .forwarded(let reason, let stored, let collapsed):
      "forwarded \(reason.rawValue)\(stored ? ", stored" : "")\(collapsed ? ", collapsed" : "")"
    case .revalidated(let reason, _): "revalidated \(reason.rawValue)"
    case .staleOnError: "stale on error"
    case .unsatisfied: "unsatisfied"
    }
  }

  /// Checks what can only be known when everything has ended.
  func finish(_ ending: Scheduler.Ending, timers: Int) {
    switch ending {
    case .idle: break
    case .time: fail(.nothingLeft, "\(timers) timers are left an hour after the last step")
    case .endless: fail(.nothingLeft, "jobs follow each other without an end")
    }
    let limit = world.plan.settings.attempts
    for record in records.values.sorted(by: { $0.id < $1.id }) {
      if record.endings == 0, !record.isAbandoned {
        fail(.endsOnce, "call \(record.id) has not ended")
      }
      // An attempt is sent again with another time, with another token, and without a condition after a 304
      // that refers to another response.
      let sendings = limit * (world.plan.settings.hasHedging ? 2 : 1) * 4 + 1
      for (url, times) in record.sent where times.count > sendings {
        fail(.attempts, "call \(record.id) was sent \(times.count) times to \(url), with \(limit) attempts")
      }
    }
    checkEffects()
    checkBudgets()
    checkDelivery()
  }

  private func checkEffects() {
    var counts: [String: Int] = [:]
    for effect in world.api.effects {
      if let key = effect.key {
        counts["key \(effect.account) \(key)", default: 0] += 1
      }
      // With a key, too: an attempt with another key has another effect.
      if let call = effect.call, records[call]?.call.method == .post {
        counts["call \(call)", default: 0] += 1
      }
    }
    for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
      fail(.effects, "\(name) had \(count) effects")
    }
  }
}
