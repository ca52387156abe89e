import Interception

/// Reads the body of a request into memory before the request is sent.
///
/// On Linux, Foundation sends a stream only with chunked coding, blocks the session's queue while reading it,
/// and cannot restart it. None of this applies to bytes in memory.
struct BodyCollector: Sendable {
  let body: RequestBody
  let limit: Int

  /// Returns the bytes; if it throws, nothing was sent.
  func bytes() async throws(NetworkError) -> [UInt8] {
    do throws(NetworkError) {
      return try check(try await read())
    } catch {
      var unsent = error
      unsent.requestMayHaveBeenProcessed = false
      throw unsent
    }
  }

  private func read() async throws(NetworkError) -> [UInt8] {
    if let bytes = body.bytes {
      guard bytes.count <= limit else { throw tooLarge }
      return bytes
    }
    if let length = body.length, length > Int64(limit) { throw tooLarge }
    let source = try await body.open()
    let result: Result<[UInt8], NetworkError> = await withTaskCancellationHandler {
      do throws(NetworkError) {
        return .success(try await collect(source))
      } catch {
        source.cancel()
        return .failure(error)
      }
    } onCancel: {
      source.cancel()
    }
    return try result.get()
  }

  private func collect(_ source: any ByteSource) async throws(NetworkError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try await source.read() {
      guard bytes.count + chunk.count <= limit else { throw tooLarge }
      bytes += chunk
      if let length = body.length, Int64(bytes.count) > length { throw broken(length, "more than") }
    }
    return bytes
  }

  private func check(_ bytes: [UInt8]) throws(NetworkError) -> [UInt8] {
    if let length = body.length, Int64(bytes.count) < length { throw broken(length, "fewer than") }
    return bytes
  }

  private func broken(_ length: Int64, _ relation: String) -> NetworkError {
    RequestAddress.invalid(
      "The body has \(relation) the \(length) bytes that it declares; correct the length, or declare none.")
  }

  private var tooLarge: NetworkError {
    NetworkError(
      .bodyTooLarge(limit: Int64(limit)),
      "The request's body is longer than the \(limit) bytes that URLSessionDispatcher keeps in memory; raise "
        + "Configuration(uploadLimit:), or send it through CurlDispatcher, which streams it.")
  }
}
