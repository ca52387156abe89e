/// An action of a user, as the server has it.
struct ReportedAction: Decodable, Sendable, Hashable {
  struct Attributes: Decodable, Sendable, Hashable {
    let route: String?
    let module: String?
  }

  let name: String
  let time: Double
  let attributes: Attributes
}
