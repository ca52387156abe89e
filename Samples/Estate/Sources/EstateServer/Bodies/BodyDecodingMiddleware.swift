import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the whole body within the limits and undoes its content coding; what is below sees plain bytes.
struct BodyDecodingMiddleware<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let isCoded: Bool
    let coding = request.headers[.contentEncoding] ?? "identity"
    switch coding.lowercased() {
    case "identity": isCoded = false
    case "gzip", "x-gzip": isCoded = true
    default:
      throw APIError(
        .unsupportedMediaType, "unknown_coding",
        "Request bodies may be gzip-coded or plain, not '\(coding.prefix(40))'.",
        fields: [.acceptEncoding: "gzip"])
    }
    var request = request
    var body = try await request.body.collect(upTo: BodyLimits.encoded)
    if isCoded { body = ByteBuffer(bytes: try Self.decoded([UInt8](body.readableBytesView))) }
    request.body = RequestBody(buffer: body)
    return try await next(request, context)
  }

  private static func decoded(_ bytes: [UInt8]) throws(APIError) -> [UInt8] {
    do {
      return try GzipCoding.decode(bytes, limit: BodyLimits.decoded)
    } catch {
      switch error {
      case .tooLarge: throw .bodyTooLarge
      case .damaged: throw .badBody("The body is said to be gzip-coded, but it is damaged or cut short.")
      case .unavailable: throw .internalFault
      }
    }
  }
}
