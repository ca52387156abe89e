/// Bytes in memory, read as one chunk.
package final class BufferedByteSource: ByteSource {
  private let chunk: SingleUse<[UInt8]>

  package init(_ bytes: [UInt8]) { chunk = SingleUse(bytes) }

  package func read() async throws(NetworkError) -> [UInt8]? {
    guard let bytes = chunk.take(), !bytes.isEmpty else { return nil }
    return bytes
  }

  package func cancel() { _ = chunk.take() }
}
