import ContentCodings
import HTTPTypes
import Interception
import Synchronization

/// A byte source that decodes a body while it is read.
///
/// It holds one chunk of the body and one piece of at most 64 KiB of content, and reads the next chunk only
/// when the content of the previous one was read: an event that the server flushed is delivered at once, and
/// a slow reader slows down the transfer.
final class DecodedByteSource: ByteSource {
  private struct State: ~Copyable {
    let decoding: ContentDecoding
    var pending: ArraySlice<UInt8> = []
    var decodedBytes: Int64 = 0

    /// Decodes the pending input; nil if more input is needed.
    mutating func produce(_ fault: DecodingFault) throws(NetworkError) -> [UInt8]? {
      while !pending.isEmpty || decoding.hasMore {
        var content: [UInt8] = []
        guard let consumed = decoding.decode(pending, appendingTo: &content) else { throw fault.broken }
        pending = pending.dropFirst(consumed)
        decodedBytes += Int64(content.count)
        if !content.isEmpty { return content }
      }
      return nil
    }
  }

  private let source: any ByteSource
  private let sent: BodyStream.Ending
  private let ending: BodyStream.Ending
  private let coding: ContentCoding
  private let fault: DecodingFault
  private let state: Mutex<State>

  /// Creates a source that decodes another one.
  ///
  /// - Parameters:
  ///   - sent: What is known at the end of the body as it is sent.
  ///   - ending: Receives the same at the end of the content, with the number of decoded bytes.
  init(
    _ source: any ByteSource, _ decoding: sending ContentDecoding, fault: DecodingFault,
    sent: BodyStream.Ending, ending: BodyStream.Ending
  ) {
    self.source = source
    self.sent = sent
    self.ending = ending
    self.fault = fault
    coding = decoding.coding
    state = Mutex(State(decoding: decoding))
  }

  func read() async throws(NetworkError) -> [UInt8]? {
    do throws(NetworkError) {
      while true {
        if let content = try state.withLock({ state throws(NetworkError) in try state.produce(fault) }) {
          return content
        }
        guard let chunk = try await source.read() else { break }
        state.withLock { $0.pending = chunk[...] }
      }
      guard state.withLock({ $0.decoding.isComplete }) else { throw fault.truncated }
    } catch {
      cancel()
      throw error
    }
    finish()
    return nil
  }

  func cancel() {
    source.cancel()
    finish()
  }

  /// Ends the content once the transfer has ended, with its trailers.
  private func finish() {
    let count = state.withLock { $0.decodedBytes }
    sent.whenFinished { [coding, ending, weak sent] transport in
      ending.finish(trailers: sent?.trailers, transport: transport?.decoded(coding, to: count))
    }
  }
}

extension TransportReport {
  /// Returns the report of content that was decoded to a number of bytes.
  func decoded(_ coding: ContentCoding, to count: Int64) -> TransportReport {
    var report = self
    report.contentCoding = coding
    report.bytes.decoded = count
    return report
  }
}

/// The errors of coded content, which name the server.
struct DecodingFault: Sendable {
  private let authority: String
  private let coding: String

  init(_ codings: [String], of request: Request) {
    authority = Response.printable(request.head.authority ?? "")
    coding = Response.printable(codings.joined(separator: ", "))
  }

  /// The error of bytes that are not of the coding, or that follow its end.
  var broken: NetworkError { violation("a body whose \(coding) coding is broken") }

  /// The error of content that ends early.
  var truncated: NetworkError {
    violation("a body that ends within its \(coding) coding, so that it is only a part")
  }

  /// The error of content in codings that were not asked for and can't be decoded.
  var unknown: NetworkError {
    violation("a body in the content coding \"\(coding)\", which was not asked for and can't be decoded")
  }

  private func violation(_ words: String) -> NetworkError {
    NetworkError(
      .protocolViolation,
      "The server \(authority) sent \(words); check the server, or set the request's Accept-Encoding field to get the body as it "
        + "is sent.", requestMayHaveBeenProcessed: true)
  }
}
