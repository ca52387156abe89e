import Testing

@testable import CurlTransport

@Suite("UpgradePipe", .timeLimit(.minutes(5)))
struct UpgradePipeTests {
  // Its mailbox has no thread, so the test plays it.
  private let pipe = UpgradePipe(
    id: TransferID(number: 1), mailbox: Mailbox { _ in },
    origin: WebOrigin(scheme: .https, host: "api.test", port: 443), received: [])

  @Test("What must not wait is queued behind a long message, such as a close frame")
  func longMessage() async throws {
    try await pipe.write([UInt8](repeating: 1, count: 4 * UpgradePipe.highWater))
    pipe.writeAtOnce([2, 3])
    let bytes = pipe.takeOutgoing()
    #expect(bytes.count == 4 * UpgradePipe.highWater + 2)
    #expect(bytes.suffix(2) == [2, 3])
  }

  @Test("What is queued without a wait is bounded until it is taken")
  func flood() {
    let pong = [UInt8](repeating: 1, count: 1 << 10)
    for _ in 0..<1_000 { pipe.writeAtOnce(pong) }
    #expect(pipe.takeOutgoing().count == UpgradePipe.highWater)
    pipe.writeAtOnce(pong)
    #expect(pipe.takeOutgoing() == pong)
  }

  @Test("Its reader may spin only after one write for received bytes, of the only server in use")
  func conversation() async throws {
    #expect(!pipe.isConversation)
    try await pipe.write([1])
    #expect(!pipe.isConversation)
    pipe.offer([1], isAlone: true)
    #expect(!pipe.isConversation)
    try await pipe.write([2])
    // The received bytes are still unread.
    #expect(!pipe.isConversation)
    _ = try await pipe.read()
    #expect(pipe.isConversation)
    try await pipe.write([3])
    #expect(!pipe.isConversation)
    pipe.offer([2], isAlone: false)
    _ = try await pipe.read()
    try await pipe.write([4])
    #expect(!pipe.isConversation)
  }
}
