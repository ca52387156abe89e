import Testing

@testable import CurlTransport

@Suite struct ReceiveBufferTests {
  @Test(
    "The buffers of all transfers share the memory",
    arguments: [
      (1, 128), (64, 128), (256, 128), (512, 64), (1024, 32), (4096, 16), (0, 128), (Int.max, 16),
    ])
  func sizes(transfers: Int, kibibytes: Int) {
    #expect(ReceiveBuffer(transfers: transfers).size == kibibytes << 10)
  }
}
