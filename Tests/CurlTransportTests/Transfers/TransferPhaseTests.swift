import HTTPTypes
import Interception
import Testing

@testable import CurlTransport

@Suite("The phases of a transfer")
struct TransferPhaseTests {
  private let fault = NetworkError(.protocolViolation, "The first fault.")

  private func response(limit: Int64? = nil) -> IncomingResponse {
    var parser = HeadParser()
    _ = parser.consume(Array("HTTP/2 200\r\n".utf8).span)
    return IncomingResponse(HTTPResponse(status: .ok), parser: parser, limit: limit)
  }

  private func streamed() -> (IncomingResponse, ResponsePipe) {
    let owner = LoopOwner(configuration: .init(), library: .loaded(), time: .system)
    let pipe = ResponsePipe(id: TransferID(number: 1), owner: owner, ending: BodyStream.Ending())
    let response = response()
    response.body = .streamed(pipe, pausedAt: nil)
    return (response, pipe)
  }

  private func take(
    _ bytes: [UInt8], at now: Duration = .zero, _ phase: TransferPhase
  ) -> IncomingResponse.Progress? {
    bytes.withUnsafeBufferPointer { phase.incoming?.take($0, at: now) }
  }

  @Test("libcurl has the handle from the launch to the end")
  func launched() {
    var phase = TransferPhase.opening
    #expect(!phase.isLaunched)
    phase.launch()
    #expect(phase.isLaunched && phase.version == nil)
    phase = .receiving(response())
    #expect(phase.isLaunched && phase.version == .http2)
    phase.stop(fault)
    #expect(phase.isLaunched)
    phase.end()
    #expect(!phase.isLaunched)
  }

  @Test("A launch changes no later phase")
  func launchedOnce() {
    var phase = TransferPhase.receiving(response())
    phase.launch()
    #expect(phase.response != nil)
    phase.end()
    phase.launch()
    #expect(!phase.isLaunched)
  }

  @Test("The first fault of a callback is kept, with the response that had begun")
  func stopped() {
    var phase = TransferPhase.receiving(response())
    #expect(phase.fault == nil)
    phase.stop(fault)
    phase.stop(.bodyTooLarge(limit: 1))
    #expect(phase.fault?.kind == .protocolViolation)
    #expect(phase.response != nil && phase.version == .http2)
    #expect(take([1], phase) == nil)
  }

  @Test("A fault before the head leaves no response")
  func stoppedEarly() {
    var phase = TransferPhase.awaitingHead(HeadParser())
    phase.stop(fault)
    #expect(phase.fault?.reason == "The first fault.")
    #expect(phase.response == nil && phase.version == nil)
    phase.end()
    phase.stop(fault)
    #expect(phase.fault == nil)
  }

  @Test("An end keeps the version alone, so that a stream is released")
  func ended() {
    var phase = TransferPhase.opening
    phase.end()
    #expect(phase.version == nil)
    weak var released: ResponsePipe?
    do {
      let (response, pipe) = streamed()
      released = pipe
      phase = .receiving(response)
    }
    #expect(released != nil)
    phase.end()
    #expect(phase.version == .http2 && phase.response == nil)
    #expect(released == nil)
  }

  @Test("Bytes are taken only while a response is received, up to its limit")
  func buffered() throws {
    var phase = TransferPhase.awaitingHead(HeadParser())
    #expect(take([1], phase) == nil)
    #expect(phase.isLaunched && phase.response == nil)
    phase = .receiving(response(limit: 3))
    #expect(take([1, 2], phase) == .taken)
    #expect(take([3, 4], phase) == .tooLarge(limit: 3))
    #expect(take([3], phase) == .taken)
    let response = try #require(phase.response)
    #expect(response.receivedBytes == 3 && response.pausedAt == nil)
    let bytes: [UInt8]? = if case .buffered(let bytes) = response.body { bytes } else { nil }
    #expect(bytes == [1, 2, 3])
  }

  @Test("A reader without room pauses a response since the first refusal, until it resumes")
  func paused() {
    let (response, _) = streamed()
    let phase = TransferPhase.receiving(response)
    #expect(take(.init(repeating: 0, count: ResponsePipe.highWater), phase) == .taken)
    #expect(phase.response?.pausedAt == nil)
    #expect(phase.incoming?.resume() == false)
    #expect(take([1], at: .seconds(1), phase) == .full)
    #expect(take([1], at: .seconds(2), phase) == .full)
    #expect(phase.response?.pausedAt == .seconds(1))
    #expect(phase.response?.receivedBytes == Int64(ResponsePipe.highWater))
    #expect(phase.incoming?.resume() == true)
    #expect(phase.response?.pausedAt == nil)
  }

  @Test("A reader that has cancelled is another state than one without room")
  func cancelled() {
    let (response, pipe) = streamed()
    let phase = TransferPhase.receiving(response)
    pipe.cancel()
    #expect(take([1], phase) == .cancelled)
    #expect(phase.response?.receivedBytes == 0)
  }
}

@Suite("How far a request is sent")
struct OutgoingRequestTests {
  @Test("A content ends at its length, or at an empty piece")
  func complete() {
    var request = OutgoingRequest()
    request.send(2, of: 3)
    #expect(request.content == .sending)
    request.send(1, of: 3)
    #expect(request.content == .complete && request.sentBytes == 3)
    var unknown = OutgoingRequest()
    unknown.send(3, of: nil)
    #expect(unknown.content == .sending)
    unknown.send(0, of: nil)
    #expect(unknown.content == .complete && unknown.sentBytes == 3)
  }

  @Test("A source without bytes pauses sending until it resumes, once")
  func starved() {
    var request = OutgoingRequest()
    let wasPaused = request.resume()
    request.starve()
    #expect(!wasPaused && request.content == .starved)
    let isResumed = request.resume()
    let isResumedAgain = request.resume()
    #expect(isResumed && !isResumedAgain && request.content == .sending)
  }

  @Test("A request that is sent again counts its departures and repeats its content over another connection")
  func departures() {
    var request = OutgoingRequest()
    #expect(!request.hasDeparted && request.port == nil)
    request.depart(over: 4001)
    request.send(3, of: 3)
    request.rewind(to: 0)
    request.depart(over: 4002)
    #expect(request.hasDeparted && request.departures == 2 && request.port == 4002)
    #expect(request.content == .sending && request.sentBytes == 0)
  }

  @Test("A request may have been processed unless the server refused each of its departures")
  func refused() {
    var request = OutgoingRequest()
    request.withdraw(wasRefused: true)
    #expect(!request.mayHaveBeenProcessed && request.refusals == 0)
    request.depart(over: 4001)
    #expect(request.mayHaveBeenProcessed && request.isSent && !request.wasRefused)
    request.withdraw(wasRefused: true)
    // libcurl opens a connection, goes back in the content and departs; each records the same refusal.
    request.withdraw(wasRefused: false)
    #expect(!request.mayHaveBeenProcessed && request.wasRefused && request.refusals == 1)
    request.depart(over: 4002)
    request.withdraw(wasRefused: false)
    #expect(request.mayHaveBeenProcessed && !request.wasRefused && request.refusals == 1)
    request.depart(over: 4003)
    request.withdraw(wasRefused: true)
    #expect(request.mayHaveBeenProcessed && request.wasRefused && request.refusals == 2)
  }
}
