import Interception
import Synchronization

/// Passes bytes on and reports them.
final class RecordingByteSource: ByteSource {
  private let source: any ByteSource
  private let note: @Sendable ([UInt8]) -> Void
  private let noteEnd: @Sendable (_ length: Int) -> Void
  private let length = Mutex(0)

  init(
    _ source: any ByteSource, note: @escaping @Sendable ([UInt8]) -> Void,
    noteEnd: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.source = source
    self.note = note
    self.noteEnd = noteEnd
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    guard let chunk = try await source.read() else {
      noteEnd(length.withLock(\.self))
      return nil
    }
    length.withLock { $0 += chunk.count }
    note(chunk)
    return chunk
  }

  func cancel() { source.cancel() }
}

/// A request body that can be read once, opened at the first read.
final class OpeningByteSource: ByteSource {
  private let body: RequestBody
  private let recording: ExchangeRecording
  private let opened = Mutex<(any ByteSource)?>(nil)

  init(_ body: RequestBody, _ recording: ExchangeRecording) {
    self.body = body
    self.recording = recording
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    if let source = opened.withLock(\.self) { return try await source.read() }
    let source = RecordingByteSource(try await body.open(), note: recording.noteSent)
    opened.withLock { $0 = source }
    return try await source.read()
  }

  func cancel() { opened.withLock(\.self)?.cancel() }
}
