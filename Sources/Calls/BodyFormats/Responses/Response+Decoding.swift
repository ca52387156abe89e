package import HTTPTypes
public import Interception

extension Response {
  /// Decodes the content, after checking the status and the content type, away from the caller's actor.
  ///
  /// ```swift
  /// struct Home: Decodable { let street: String }
  /// let home = try await pipeline.get("https://api.example.com/homes/42").decoded(as: Home.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder; by default JSON with the type's coding keys.
  ///   - limit: The maximum number of bytes, 16 MiB by default. A decoder may need 20 bytes of memory for
  ///     each. The dispatcher limits a buffered body to 64 MiB; for larger content use a file.
  /// - Throws: A ``BodyDecodingError``, which has the response with at most 64 KiB of its body.
  @concurrent public func decoded<Value: Decodable & Sendable, Format: BodyDecoder>(
    as type: Value.Type = Value.self, by decoder: Format = JSONCoding(), upTo limit: Int = 16 << 20
  ) async throws(BodyDecodingError) -> Value {
    // A response without content usually has no content type either, and it is the more helpful fact.
    if status.kind == .successful, body.length == 0 {
      throw await rejected(.empty, "The response (status \(status.code)) has no content.")
    }
    try await check(for: decoder)
    let bytes: [UInt8]
    do {
      bytes = try await body.bytes(upTo: limit)
    } catch {
      throw error.with(truncated(await self.bytes(ofFirst: Self.keptBytes)))
    }
    do {
      return try decoder.decoded(type, from: bytes)
    } catch {
      throw error.with(truncated(Array(bytes.prefix(Self.keptBytes))))
    }
  }

  /// Checks the status, the content type and the content coding before the content is read.
  func check<Format: BodyDecoder>(for decoder: Format) async throws(BodyDecodingError) {
    guard status.kind == .successful else {
      throw await rejected(
        .status(status.code), Self.reason(of: status.code, remedy: credentialUse?.remedy))
    }
    if let field = head.headerFields.mediaType {
      let mediaType = MediaTypeSyntax.essence(of: field)
      guard decoder.accepts(mediaType) else {
        throw await rejected(
          .contentType,
          "The response's content type is \(Self.printable(mediaType)), which \(Format.self) does not read; "
            + "check the URL and the Accept field.")
      }
    }
    if let reason = head.headerFields.undecodedContentReason {
      throw await rejected(.contentCoding, reason)
    }
  }

  /// The maximum number of bytes of a body that an error keeps.
  private static let keptBytes = 64 << 10

  private func rejected(_ kind: BodyDecodingError.Kind, _ reason: String) async -> BodyDecodingError {
    BodyDecodingError(
      kind, reason, response: truncated(await bytes(ofFirst: Self.keptBytes)), underlying: nil)
  }

  private func truncated(_ bytes: [UInt8]) -> Response {
    with(.bytes(bytes))
  }

  /// Returns the first bytes of the body, fewer if its stream fails or already has a reader.
  package func bytes(ofFirst count: Int) async -> [UInt8] {
    switch body {
    case .bytes(let bytes): return Array(bytes.prefix(count))
    case .stream(let stream):
      var first: [UInt8] = []
      guard let source = try? stream.claim() else { return [] }
      while first.count < count, let chunk = try? await source.read() {
        first += chunk.prefix(count - first.count)
      }
      source.cancel()
      return first
    }
  }

  private static func reason(of code: Int, remedy: String?) -> String {
    let usualRemedy =
      switch code {
      case 401: "send credentials, or renew them"
      case 403: "the credentials do not permit the request"
      case 404, 410: "check the URL; the resource does not exist, or no longer does"
      case 408, 429, 503: "wait, and send the request again"
      case 300..<400: "add an interceptor that follows redirects, or request the new URL"
      case 500...: "the server failed; send the request again later, or report it"
      default: "inspect the error's response"
      }
    return "The server responded with the status \(code): \(remedy ?? usualRemedy)."
  }
}

extension HTTPFields {
  // Servers also send values that are no coding, such as "utf-8", with content that is not coded.
  private static let compressions: Set<String> = ["gzip", "deflate", "br", "zstd", "compress"]

  /// Why no value can be read from the content of a response with these fields: it is still in a content
  /// coding; nil if it is not.
  package var undecodedContentReason: String? {
    // Who decodes content removes the field.
    let codings = contentCodings
    guard codings.contains(where: Self.compressions.contains) else { return nil }
    let names = Response.printable(codings.joined(separator: ", "))
    return
      "The server sent the content in the coding \"\(names)\", which nothing in the chain has decoded; add a "
      + "CompressionInterceptor of the product BodyCompression, and no Accept-Encoding field."
  }
}

extension ResponseBody {
  /// Decodes the content, whatever the status and the content type, such as the body of an error response.
  ///
  /// ```swift
  /// struct Problem: Decodable { let title: String }
  /// let problem = try await error.response?.body.decoded(as: Problem.self)
  /// ```
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - decoder: The decoder; by default JSON with the type's coding keys.
  ///   - limit: The maximum number of bytes, 16 MiB by default.
  /// - Throws: A ``BodyDecodingError`` without a response.
  @concurrent public func decoded<Value: Decodable & Sendable, Format: BodyDecoder>(
    as type: Value.Type = Value.self, by decoder: Format = JSONCoding(), upTo limit: Int = 16 << 20
  ) async throws(BodyDecodingError) -> Value {
    try decoder.decoded(type, from: try await bytes(upTo: limit))
  }

  fileprivate func bytes(upTo limit: Int) async throws(BodyDecodingError) -> [UInt8] {
    do {
      return try await collect(upTo: limit)
    } catch {
      guard case .bodyTooLarge = error.kind else {
        throw BodyDecodingError(
          .unread, "The content could not be read: \(error.reason)", response: nil, underlying: error)
      }
      throw BodyDecodingError(
        .tooLarge(limit: limit),
        "The content is longer than the \(limit) bytes allowed; raise the limit, or request less at a time.",
        response: nil, underlying: error)
    }
  }
}

extension BodyDecoder {
  /// Decodes a value, and wraps an error of another type.
  package func decoded<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8]
  ) throws(BodyDecodingError) -> Value {
    do {
      return try decode(type, from: bytes)
    } catch let error as BodyDecodingError {
      throw error
    } catch {
      throw BodyDecodingError(
        .undecodable, "\(Self.self) could not decode \(type); inspect the underlying error.",
        response: nil, underlying: error)
    }
  }
}
