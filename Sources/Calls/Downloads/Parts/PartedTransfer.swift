import HTTPTypes
import Interception
import Synchronization

/// Receives the parts of a file at the same time: carries out the actions of a ``PartPlan``, and writes each
/// part at its place in the unfinished file.
///
/// Memory is bounded by a chunk per request. The progress is recorded on disk at intervals while the parts
/// are received, and at the end, unless the file is discarded.
final class PartedTransfer<Target: Dispatcher>: Sendable {
  /// How a transfer ended, when none of its requests runs any more.
  enum Ending: Sendable {
    /// The file is complete.
    case complete
    /// The server has another version of the file, or serves no ranges; with the response that contains the
    /// whole file, if it is one.
    case replaced(Response?)
    /// The run ends with an error.
    case failed(NetworkError)
    /// A response had more bytes than announced, so that it is unknown which bytes are correct.
    case violated(NetworkError)
  }

  private enum Event: Sendable {
    case ended(Int)
    case failed(Int, NetworkError)
    case waited(Int)
    case replaced(Response?)
    case violated(NetworkError)
  }

  private let request: Request
  private let dispatcher: Target
  private let file: PartialFile
  private let meter: TransferMeter?
  private let time: TimeSource
  private let random: @Sendable () -> Double
  /// The time at which the call's limit ends the run; nil without a limit.
  private let end: Duration?
  private let record: DownloadRecord
  private let plan: Mutex<PartPlan>

  init(
    request: Request, dispatcher: Target, file: PartialFile, meter: TransferMeter?, time: TimeSource,
    random: @escaping @Sendable () -> Double, end: Duration?, record: DownloadRecord, plan: PartPlan
  ) {
    self.request = DownloadPlan.base(of: request)
    self.dispatcher = dispatcher
    self.file = file
    self.meter = meter
    self.time = time
    self.random = random
    self.end = end
    self.record = record
    self.plan = Mutex(plan)
  }

  /// The bytes of each part in the file, and the number of failures that the parts survived.
  var progress: (parts: DownloadParts, survivedFailures: Int) {
    plan.withLock { ($0.parts, $0.survivedFailures) }
  }

  /// Receives the missing parts.
  ///
  /// - Parameter lead: The response to the request for the missing bytes of part `number`, which contains
  ///   those up to `offset`.
  func run(_ lead: Response, for number: Int, upTo offset: Int64) async -> Ending {
    let ending = await withTaskGroup(of: Event.self) { group in
      let ending = await receive(lead, for: number, upTo: offset, in: &group)
      // The other requests, after the end of one decided for all.
      group.cancelAll()
      await group.waitForAll()
      return ending
    }
    switch ending {
    // The next run requests again what the last record doesn't state. A complete file may still be
    // unverified, or not renamed.
    case .complete, .failed: try? file.checkpoint(recordWith(plan.withLock { $0.parts }))
    case .replaced, .violated: break
    }
    return ending
  }

  private func receive(
    _ lead: Response, for number: Int, upTo offset: Int64, in group: inout TaskGroup<Event>
  ) async -> Ending {
    group.addTask { await self.copy(lead, of: number, upTo: offset) }
    var step = plan.withLock { plan in
      report(plan)
      return plan.start(after: number)
    }
    while true {
      switch step {
      case .run(let actions):
        for action in actions { group.addTask { await self.perform(action) } }
      case .complete: return .complete
      case .end(let error): return .failed(error.of(request))
      }
      switch await group.next() {
      case .ended(let part)?: step = plan.withLock { $0.ended(part) }
      case .waited(let part)?: step = plan.withLock { $0.waited(part) }
      case .failed(let part, let error)?:
        let (left, now, share) = (remaining, time.wallTime(), random())
        step = plan.withLock { $0.failed(part, error, remaining: left, now: now, random: share) }
      case .replaced(let response)?: return .replaced(response)
      case .violated(let error)?: return .violated(error.of(request))
      // The plan has always a request or a wait for an incomplete part.
      case nil: return .failed(.downloadInTooManyParts)
      }
    }
  }

  /// The time left of the call's limit; nil without one.
  private var remaining: Duration? { end.map { $0 - time.now() } }

  private func perform(_ action: PartPlan.Action) async -> Event {
    switch action {
    case .wait(let part, let duration):
      do {
        try await time.sleep(for: duration)
        return .waited(part)
      } catch {
        return .failed(part, .downloadCancelled)
      }
    case .request(let part, let range):
      do throws(NetworkError) {
        let response = try await dispatcher.dispatch(request(for: range))
        switch PartPlan.judge(
          response.head, length: response.body.length, missing: range, of: record,
          decoded: response.decodedCoding)
        {
        case .content(let end): return await copy(response, of: part, upTo: end)
        case .replaced: return .replaced(response.status == .ok ? response : nil)
        case .refuse(let error): return .failed(part, error.ofDownload(response, to: request))
        }
      } catch {
        return .failed(part, error)
      }
    }
  }

  /// Returns a request of its own, with its own ID, because several are in flight.
  private func request(for range: Range<Int64>) -> Request {
    var copy = Request(request.head, options: request.options, context: request.context)
    copy.head.headerFields[.range] = range.rangeText
    copy.head.headerFields[text: .ifRange] = record.validator.fieldValue
    return copy.limited(to: remaining)
  }

  /// Writes the content of a response for a part, which ends at an offset of the file.
  private func copy(_ response: Response, of part: Int, upTo end: Int64) async -> Event {
    var offset = plan.withLock { $0.parts.list[part].next }
    do throws(NetworkError) {
      switch response.body {
      case .bytes(let bytes):
        guard Int64(bytes.count) <= end - offset else { return .violated(.downloadTooLong) }
        offset = try write(bytes, of: part, at: offset)
      case .stream(let stream):
        let source = try stream.claim()
        do throws(NetworkError) {
          while let chunk = try await source.read() {
            guard Int64(chunk.count) <= end - offset else { return .violated(.downloadTooLong) }
            offset = try write(chunk, of: part, at: offset)
            guard !Task.isCancelled else { throw NetworkError.downloadCancelled }
          }
        } catch {
          source.cancel()
          throw error
        }
      }
      guard offset == end else { throw NetworkError.downloadEnded(early: end - offset) }
      return .ended(part)
    } catch {
      return .failed(part, error.of(request))
    }
  }

  /// Writes bytes of a part at an offset of the file, and returns the offset after them.
  private func write(_ bytes: [UInt8], of part: Int, at offset: Int64) throws(NetworkError) -> Int64 {
    try file.write(bytes, at: offset)
    let end = offset + Int64(bytes.count)
    let due = plan.withLock { plan in
      plan.advance(part, to: end)
      // Within the lock, so that the sum never decreases.
      report(plan)
      return plan.startRecording()
    }
    if let due {
      defer { plan.withLock { $0.endRecording() } }
      try file.checkpoint(recordWith(due))
    }
    return end
  }

  private func report(_ plan: PartPlan) {
    meter?.report(
      TransferMeter.Progress(.download, bytes: plan.parts.downloaded, total: record.total))
  }

  private func recordWith(_ parts: DownloadParts) -> DownloadRecord {
    var copy = record
    copy.parts = parts
    return copy
  }
}
