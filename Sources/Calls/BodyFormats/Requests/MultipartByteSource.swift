package import Interception
import Synchronization

/// The bytes of a form; each part is opened when the previous one has been read.
final class MultipartByteSource: ByteSource {
  private struct Reading {
    let name: String
    let source: any ByteSource
    let promised: Int64?
    var taken: Int64 = 0
  }

  private struct State {
    var segments: ArraySlice<MultipartForm.Segment>
    var reading: Reading?
    var isCancelled = false
  }

  private enum Step {
    case bytes([UInt8])
    case open(String, RequestBody)
    case read(Reading)
    case end
    case cancelled
  }

  private let state: Mutex<State>

  init(_ segments: [MultipartForm.Segment]) { state = Mutex(State(segments: segments[...])) }

  deinit { cancel() }

  func read() async throws(NetworkError) -> [UInt8]? {
    while true {
      switch nextStep() {
      case .bytes(let bytes): return bytes
      case .open(let name, let body): try await open(body, of: name)
      case .read(let reading): if let chunk = try await read(reading) { return chunk }
      case .end: return nil
      case .cancelled: throw NetworkError(.cancelled(.task), "Reading the form was cancelled.")
      }
    }
  }

  func cancel() {
    let source = state.withLock { state in
      defer { (state.reading, state.segments, state.isCancelled) = (nil, [], true) }
      return state.reading?.source
    }
    source?.cancel()
  }

  private func nextStep() -> Step {
    state.withLock { state in
      if state.isCancelled { return .cancelled }
      if let reading = state.reading { return .read(reading) }
      switch state.segments.popFirst() {
      case .bytes(let bytes): return .bytes(bytes)
      case .content(let name, let body): return .open(name, body)
      case nil: return .end
      }
    }
  }

  private func open(_ body: RequestBody, of name: String) async throws(NetworkError) {
    let source = try await body.open()
    let isLate = state.withLock { state in
      if !state.isCancelled {
        state.reading = Reading(name: name, source: source, promised: body.length)
      }
      return state.isCancelled
    }
    if isLate { source.cancel() }
  }

  private func read(_ reading: Reading) async throws(NetworkError) -> [UInt8]? {
    let chunk = try await reading.source.read()
    let taken = reading.taken + Int64(chunk?.count ?? 0)
    // Two wrong lengths may add up to the correct total, with every boundary between them misplaced.
    if let promised = reading.promised, chunk == nil ? taken < promised : taken > promised {
      cancel()
      let verb = chunk == nil ? "ended after \(taken)" : "produced more than all"
      throw NetworkError(
        .invalidRequest,
        "The form's part \"\(MultipartForm.escaped(reading.name))\" \(verb) of the \(promised) bytes it declared; correct the length, or declare none."
      )
    }
    state.withLock { state in
      if chunk == nil { state.reading = nil } else { state.reading?.taken = taken }
    }
    return chunk
  }
}

extension MultipartForm {
  /// A piece of the form's wire format.
  enum Segment: Sendable {
    case bytes([UInt8])
    case content(of: String, RequestBody)
  }

  /// The form as a request body.
  ///
  /// A form of at most 256 KiB that is entirely in memory becomes a single `.bytes` body, which interceptors
  /// can hash. If the form can be sent only once, use only one of the bodies that this property returns.
  package var body: RequestBody {
    let segments = segments
    if segments.count == 1, case .bytes(let bytes) = segments[0] { return .bytes(bytes) }
    switch replay {
    case .once: return .once(length: length, MultipartByteSource(segments))
    case .any:
      return .restartable(length: length) { () throws(NetworkError) in MultipartByteSource(segments) }
    }
  }

  private static let joinedAtMost = 256 << 10

  /// The form's wire format, with small adjacent pieces joined.
  private var segments: [Segment] {
    var segments: [Segment] = []
    var joined: [UInt8] = []
    for part in parts {
      joined += opening(of: part)
      if let bytes = part.body.bytes, joined.count + bytes.count <= Self.joinedAtMost {
        joined += bytes
      } else {
        segments += [.bytes(joined), .content(of: part.name, part.body)]
        joined = []
      }
      joined += [0x0D, 0x0A]
    }
    segments.append(.bytes(joined + closing))
    return segments
  }
}
