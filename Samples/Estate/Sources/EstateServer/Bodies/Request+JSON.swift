import Foundation
import Hummingbird
import NIOCore

extension Request {
  /// Reads the body as JSON; throws 400 `bad_body` that names what is wrong with it.
  func json<Value: Decodable>(as type: Value.Type) async throws -> Value {
    let buffer = try await body.collect(upTo: BodyLimits.decoded)
    do {
      return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
    } catch DecodingError.keyNotFound(let key, _) {
      throw APIError.badBody("The body lacks '\(key.stringValue)'.")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw APIError.badBody(
        path.isEmpty
          ? "The body must be a JSON object." : "'\(path.prefix(80))' in the body has the wrong type.")
    } catch {
      throw APIError.badBody("The body is not JSON.")
    }
  }
}
