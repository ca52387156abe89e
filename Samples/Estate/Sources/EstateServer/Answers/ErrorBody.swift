/// The body of every error: `{"error":{"code":"…","message":"…"}}`.
struct ErrorBody: Encodable {
  struct Detail: Encodable {
    let code: String
    let message: String
  }

  let error: Detail

  init(_ error: APIError) {
    self.error = Detail(code: error.code, message: error.message)
  }
}
