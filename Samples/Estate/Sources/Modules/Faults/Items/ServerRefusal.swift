/// The server's refusal of a request.
struct ServerRefusal: Error, Decodable, CustomStringConvertible {
  struct Detail: Decodable {
    let code: String
    let message: String
  }

  let error: Detail

  var description: String { "The server refused (\(error.code)): \(error.message)" }
}
