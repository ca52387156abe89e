import Foundation
import HTTPServing

extension ReceivedRequest {
  /// Decodes the body as JSON; throws 400 `bad_body` with the name of the member at fault.
  func json<Value: Decodable>(as type: Value.Type) throws(APIError) -> Value {
    do {
      return try JSONDecoder().decode(type, from: Data(body))
    } catch DecodingError.keyNotFound(let key, _) {
      throw .badBody("The body lacks '\(key.stringValue)'.")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      throw .badBody(
        path.isEmpty
          ? "The body must be a JSON object." : "'\(path.prefix(80))' in the body has the wrong type.")
    } catch {
      throw .badBody("The body is not JSON.")
    }
  }
}
