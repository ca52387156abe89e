import HTTPTypes
import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct ResponsePipeTests {
  private let ending = BodyStream.Ending()
  private let pipe: ResponsePipe

  init() {
    let owner = LoopOwner(configuration: .init(), library: .loaded(), time: .system)
    pipe = ResponsePipe(id: TransferID(number: 1), owner: owner, ending: ending)
  }

  private func offer(_ bytes: [UInt8]) -> ResponsePipe.Offer {
    bytes.withUnsafeBufferPointer { pipe.offer($0) }
  }

  @Test("Bytes that came between two reads are read at once")
  func gathering() async throws {
    #expect(offer([1]) == .taken)
    #expect(offer([2, 3]) == .taken)
    #expect(try await pipe.read() == [1, 2, 3])
  }

  @Test("At the high-water mark it takes nothing until it is read")
  func bounds()
    async throws
  {
    let piece = [UInt8](repeating: 0, count: 16 << 10)
    var taken = 0
    while offer(piece) == .taken { taken += piece.count }
    #expect(taken == ResponsePipe.highWater)
    #expect(offer([0]) == .full)
    #expect(try await pipe.read()?.count == taken)
    #expect(offer(piece) == .taken)
  }

  @Test("A waiting reader is resumed by bytes, and by the end")
  func waiting() async throws {
    let reading = Task { [pipe] in try await pipe.read() }
    #expect(offer([1]) == .taken)
    #expect(try await reading.value == [1])
    let last = Task { [pipe] in try await pipe.read() }
    let report = TransportReport(remoteAddress: "here")
    pipe.finish(.init(failure: nil, trailers: [:], report: report))
    #expect(try await last.value == nil)
    #expect(ending.transport == report)
  }

  @Test("Received bytes are read before the error")
  func failureOfTheTransfer() async throws {
    _ = offer([1])
    pipe.finish(.init(failure: NetworkError(.transport, "gone"), trailers: nil, report: TransportReport()))
    #expect(try await pipe.read() == [1])
    let error = await failure { () throws(NetworkError) in try await pipe.read() }
    #expect(error?.kind == .transport)
  }

  @Test("After cancellation it neither takes nor gives bytes")
  func cancellation() async throws {
    _ = offer([1])
    pipe.cancel()
    #expect(offer([2]) == .cancelled)
    let error = await failure { () throws(NetworkError) in try await pipe.read() }
    #expect(error?.kind == .cancelled(.task))
  }
}
