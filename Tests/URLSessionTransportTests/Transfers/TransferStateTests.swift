import Foundation
import HTTPTypes
import Interception
import Testing

@testable import URLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The state of a transfer whose session's task is a name.
private typealias State = TransferState<String>

@Suite struct TransferStateTests {
  /// How far a transfer has come.
  enum Stage: CaseIterable {
    case queued
    case collecting
    case awaitingHead
    case receiving
    case streaming
  }

  private static func head(_ length: Int = 9) throws -> ResponseHead {
    let url = try #require(URL(string: "http://a.test/"))
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Length": "\(length)"]))
    return ResponseHead(response, method: .get, behavior: .current)
  }

  /// A state that has come to a stage, one step a second.
  private static func state(_ stage: Stage, timeouts: RequestOptions.Timeouts = .init()) throws -> State {
    var options = RequestOptions()
    options.timeouts = timeouts
    var state = State(options, handedOver: .zero)
    if stage == .queued { return state }
    #expect(state.admit(at: .seconds(1)) == true)
    if stage == .collecting { return state }
    #expect(state.launch(at: .seconds(2)) { "task" } == .launched)
    if stage == .awaitingHead { return state }
    let head = try head()
    #expect(state.receive(head, isStreamed: stage == .streaming, at: .seconds(3)) == true)
    return state
  }

  @discardableResult
  private static func receive(
    _ count: Int, _ state: inout State, limit: Int64? = nil, unreadLimit: Int = 80, suspends: Bool = true
  ) -> State.Arrival {
    state.receive(
      [UInt8](repeating: 7, count: count), at: .seconds(4), limit: limit, unreadLimit: unreadLimit,
      suspends: suspends)
  }

  private static func cancellation(_ state: inout State) -> TransferEnd? {
    .failed(.cancelled(.task, origin: "http://a.test", mayHaveBeenProcessed: state.phase.isLaunched))
  }

  private static func error(_ end: TransferEnd?) -> NetworkError? {
    if case .failed(let error) = end { error } else { nil }
  }

  /// What a reader finds, in words.
  private static func read(_ state: inout State) -> String {
    switch state.read(at: .seconds(5)) {
    case .bytes(let bytes, let resumed): "\(bytes.count)\(resumed.map { " resumes \($0)" } ?? "")"
    case .ended(.complete, _): "end"
    case .ended(.failed, _): "failure"
    case .cancelled: "cancelled"
    case .occupied: "occupied"
    case .wait: "wait"
    }
  }

  // MARK: The end

  @Test("A transfer can be cancelled at each stage, and what it held is returned", arguments: Stage.allCases)
  func cancellation(stage: Stage) throws {
    var state = try Self.state(stage)
    state.measurements.decodedBytes = 7
    let settled = state.settle(Self.cancellation)
    let ended = try #require(settled)
    let isLaunched = stage != .queued && stage != .collecting
    #expect(Self.error(ended.end)?.requestMayHaveBeenProcessed == isLaunched)
    #expect(Self.error(ended.end)?.progress.receivedBytes == 7)
    #expect(ended.held.handle == (isLaunched ? "task" : nil))
    #expect((ended.held.response != nil) == (stage == .receiving))
    #expect(state.phase.isOver && !state.phase.isLaunched && state.phase.handle == nil)
    #expect(Self.error(state.phase.end)?.kind == .cancelled(.task))
  }

  @Test("Only the first end has an effect, and a later one is not even decided", arguments: Stage.allCases)
  func once(stage: Stage) throws {
    var state = try Self.state(stage)
    #expect(state.settle { _ in nil } == nil)
    #expect(!state.phase.isOver)
    #expect(state.settle(Self.cancellation) != nil)
    var isDecided = false
    let second = state.settle { _ in
      isDecided = true
      return .complete
    }
    #expect(second == nil && !isDecided)
    #expect(Self.error(state.phase.end)?.kind == .cancelled(.task))
  }

  @Test(
    "After the end nothing begins: no body, no task, no response and no content", arguments: Stage.allCases)
  func nothingAfterTheEnd(stage: Stage) async throws {
    var state = try Self.state(stage)
    _ = state.settle(Self.cancellation)
    #expect(state.admit(at: .seconds(9)) == false)
    let upload = Task<Void, Never> {}
    #expect(state.collect(by: upload) == false)
    await upload.value
    var isMade = false
    let launch = state.launch(at: .seconds(9)) {
      isMade = true
      return "late"
    }
    #expect(launch == .isOver && !isMade)
    let head = try Self.head()
    #expect(state.receive(head, isStreamed: true, at: .seconds(9)) == false)
    guard case .kept(nil, nil) = Self.receive(50, &state) else { throw UnexpectedArrival() }
    #expect(state.measurements.decodedBytes == 0 && state.phase.handle == nil)
  }

  struct UnexpectedArrival: Error {}

  @Test("The body's task is cancelled with the transfer, unless it has launched the request")
  func upload() async throws {
    var (early, late) = (try Self.state(.collecting), try Self.state(.awaitingHead))
    let upload = Task<Void, Never> {}
    #expect(early.collect(by: upload) == true)
    #expect(late.collect(by: upload) == true)
    await upload.value
    #expect(early.settle(Self.cancellation)?.held.upload == upload)
    let settled = late.settle(Self.cancellation)
    let ended = try #require(settled)
    #expect(ended.held.upload == nil && ended.held.handle == "task")
  }

  @Test("A session that makes no tasks any longer leaves the request unsent")
  func refusedLaunch() throws {
    var state = try Self.state(.collecting)
    #expect(state.launch(at: .seconds(2)) { nil } == .isRefused)
    #expect(Self.error(state.settle(Self.cancellation)?.end)?.requestMayHaveBeenProcessed == false)
  }

  @Test("A second head is ignored, and a whole response is given to its caller with its content")
  func wholeResponse() throws {
    var state = try Self.state(.receiving)
    let second = try Self.head(1)
    #expect(state.receive(second, isStreamed: false, at: .seconds(4)) == false)
    for _ in 0..<3 { Self.receive(30, &state) }
    let settled = state.settle { _ in .complete }
    let ended = try #require(settled)
    #expect(ended.held.response?.bytes.count == 90, "The limit of unread content is that of streams.")
    #expect(ended.held.response?.head.length == 9)
    let report = ended.measurements.report(head: ended.held.response?.head)
    #expect(report.phases.queue == .seconds(1) && report.phases.firstByte == .seconds(1))
    #expect(report.phases.lastByte == .seconds(1) && report.bytes.decoded == 90)
  }

  @Test("Content is added in place, without a copy of the rest", arguments: [Stage.receiving, .streaming])
  func inPlace(stage: Stage) throws {
    var state = try Self.state(stage)
    var (address, moves) = (UInt(0), 0)
    for _ in 0..<1_000 {
      Self.receive(16, &state, unreadLimit: .max)
      let next = state.phase.response?.bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } ?? 0
      if next != address { moves += 1 }
      address = next
    }
    #expect((1...30).contains(moves))
  }

  @Test("Content beyond the response's limit is not kept", arguments: [Stage.receiving, .streaming])
  func bodyLimit(stage: Stage) throws {
    var state = try Self.state(stage)
    Self.receive(30, &state, limit: 40)
    guard case .tooLarge(limit: 40) = Self.receive(30, &state, limit: 40) else { throw UnexpectedArrival() }
    #expect(state.measurements.decodedBytes == 60)
  }

  // MARK: Reading a stream

  @Test("A reader takes content as it comes, what is left after the end, and then the end")
  func reading() throws {
    var state = try Self.state(.streaming)
    #expect(Self.read(&state) == "wait")
    Self.receive(3, &state)
    Self.receive(4, &state)
    #expect(Self.read(&state) == "7")
    #expect(Self.read(&state) == "wait")
    Self.receive(5, &state)
    #expect(state.settle { _ in .complete }?.held.response == nil, "It belongs to the reader.")
    #expect(Self.read(&state) == "5")
    for _ in 0..<2 { #expect(Self.read(&state) == "end") }
    #expect(state.report.bytes.decoded == 12)
  }

  @Test("Content that was received before a failure is read before it")
  func readingBeforeFailure() throws {
    var state = try Self.state(.streaming)
    Self.receive(5, &state)
    _ = state.settle(Self.cancellation)
    #expect(Self.read(&state) == "5")
    #expect(Self.read(&state) == "failure")
  }

  @Test("Much unread content suspends the task once, and reading resumes it, unless the transfer has ended")
  func suspension() throws {
    for endsMeanwhile in [false, true] {
      var state = try Self.state(.streaming, timeouts: .init(idle: .seconds(20)))
      guard case .kept(nil, "task") = Self.receive(10, &state) else { throw UnexpectedArrival() }
      #expect(state.watch.deadlines.next == nil, "A suspended transfer is not idle.")
      guard case .kept(nil, nil) = Self.receive(10, &state) else { throw UnexpectedArrival() }
      #expect(state.watch.deadlines.next == nil, "The content was on its way before.")
      if endsMeanwhile { #expect(state.settle(Self.cancellation)?.held.handle == "task") }
      #expect(Self.read(&state) == (endsMeanwhile ? "20" : "20 resumes task"))
      #expect(Self.read(&state) == (endsMeanwhile ? "failure" : "wait"))
      guard !endsMeanwhile else { continue }
      #expect(state.watch.deadlines.next == .init(time: .seconds(25), phase: .idle))
      guard case .kept(nil, "task") = Self.receive(10, &state) else { throw UnexpectedArrival() }
    }
  }

  @Test("Without suspension, more unread content than the limit is refused, and what came is read")
  func unreadLimit() throws {
    var state = try Self.state(.streaming)
    for _ in 0..<2 {
      guard case .kept(nil, nil) = Self.receive(40, &state, suspends: false) else {
        throw UnexpectedArrival()
      }
    }
    guard case .unread = Self.receive(1, &state, suspends: false) else { throw UnexpectedArrival() }
    _ = state.settle(Self.cancellation)
    #expect(Self.read(&state) == "81")
    #expect(Self.read(&state) == "failure")
  }

  /// What ends a reader's wait.
  enum Event: CaseIterable {
    case content
    case end
    case cancellation
  }

  @Test("A waiting reader is resumed for content, the end and its cancellation", arguments: Event.allCases)
  func waiting(event: Event) async throws {
    let state = State.Box(try Self.state(.streaming))
    let result: Result<Void, NetworkError> = await withCheckedContinuation { reader in
      #expect(state.value.suspend(reader: reader) == true)
      #expect(Self.read(&state.value) == "occupied")
      var released: ResultContinuation<Void>?
      switch event {
      case .content:
        guard case .kept(let waiting, "task") = Self.receive(10, &state.value) else { break }
        released = waiting
      case .end: released = state.value.settle { _ in .complete }?.held.reader
      case .cancellation:
        let (isFirst, waiting) = state.value.cancelReading()
        #expect(isFirst == true)
        released = waiting
      }
      if released == nil { Issue.record("The reader waits for ever.") }
      (released ?? reader).resume(returning: .success(()))
    }
    #expect(throws: Never.self) { try result.get() }
    let words: [Event: String] = [.content: "10 resumes task", .end: "end", .cancellation: "cancelled"]
    #expect(Self.read(&state.value) == words[event])
  }

  @Test("A reader does not wait if there is content or another one, or after the end or a cancellation")
  func notWaiting() async throws {
    var content = try Self.state(.streaming)
    Self.receive(1, &content)
    var ended = try Self.state(.streaming)
    _ = ended.settle { _ in .complete }
    var cancelled = try Self.state(.streaming)
    #expect(cancelled.cancelReading().isFirst == true)
    for state in [content, ended, cancelled] {
      let box = State.Box(state)
      _ = await withCheckedContinuation { (reader: ResultContinuation<Void>) in
        #expect(box.value.suspend(reader: reader) == false)
        reader.resume(returning: .success(()))
      }
    }
    let occupied = State.Box(try Self.state(.streaming))
    _ = await withCheckedContinuation { (reader: ResultContinuation<Void>) in
      #expect(occupied.value.suspend(reader: reader) == true)
      #expect(occupied.value.suspend(reader: reader) == false)
      occupied.value.settle { _ in .complete }?.held.reader?.resume(returning: .success(()))
    }
  }

  @Test("A stream that is released while its task is suspended discards its content, and is cancelled once")
  func cancelledReading() throws {
    var state = try Self.state(.streaming)
    Self.receive(10, &state)
    #expect(state.cancelReading().isFirst == true)
    #expect(state.cancelReading().isFirst == false)
    #expect(Self.read(&state) == "cancelled")
    Self.receive(10, &state)
    #expect(state.settle(Self.cancellation)?.held.handle == "task")
    #expect(Self.read(&state) == "cancelled")
    #expect(state.cancelReading().isFirst == false)
  }
}

extension TransferState {
  /// A state that closures change.
  fileprivate final class Box {
    var value: TransferState

    init(_ value: TransferState) { self.value = value }
  }
}

@Suite struct LimitWatchTests {
  private static func watch() -> LimitWatch {
    LimitWatch(Deadlines(.init(queue: .seconds(5), idle: .seconds(10)), handedOver: .zero))
  }

  @Test("A task is made for the first deadline, and for an earlier one, never for a later one")
  func arming() {
    var times: [Duration] = []
    func arm(_ watch: inout LimitWatch) {
      watch.arm { time in
        times.append(time)
        return Task {}
      }
    }
    var watch = Self.watch()
    for _ in 0..<2 { arm(&watch) }
    #expect(times == [.seconds(5)])
    watch.deadlines.admitted()
    watch.deadlines.launched(at: .seconds(1))
    arm(&watch)
    #expect(times == [.seconds(5)], "The task that is there looks again.")
    #expect(watch.check(at: .seconds(5)) == .later(.seconds(11)))
    watch.deadlines.received(at: .zero)
    arm(&watch)
    #expect(times == [.seconds(5), .seconds(10)])
    #expect(watch.end() != nil)
    #expect(watch.end() == nil)
  }

  @Test("A check finds no limit, a later deadline or the limit that was exceeded")
  func checking() {
    var watch = Self.watch()
    #expect(watch.check(at: .seconds(4)) == .later(.seconds(5)))
    #expect(watch.check(at: .seconds(5)) == .exceeded(.queue))
    watch.deadlines.admitted()
    #expect(watch.check(at: .seconds(6)) == .nothing)
    watch.deadlines.launched(at: .seconds(6))
    var isArmed = false
    watch.arm { _ in
      isArmed = true
      return Task {}
    }
    #expect(isArmed, "After a check without a limit nothing checks any longer.")
  }
}

@Suite struct IdleWaitTests {
  @Test("A wait ends with the last transfer or the grace period, and does not begin after either")
  func ends() {
    var wait = IdleWait<String>()
    #expect(wait.begin("idle", isIdle: true) == false)
    #expect(wait.begin("first", isIdle: false) == true)
    #expect(wait.end() == ["first"])
    #expect(wait.end() == [])
    #expect(wait.begin("second", isIdle: false) == true)
    #expect(wait.endGrace() == ["second"])
    #expect(wait.begin("late", isIdle: false) == false, "Nothing would end it.")
  }
}
