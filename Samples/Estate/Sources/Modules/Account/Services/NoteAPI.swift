import APIManagers
import EstateContract
import HTTPTypes

/// Leaves a note to an agent.
struct NoteAPI: API {
  struct Params: Encodable, Sendable {
    let home: Int
    let text: String
  }

  struct Output: Decodable, Sendable {
    let bodyBytes: Int
    let contentCoding: String
  }

  static let endpoint = Endpoint<Params>(.estate, "notes.add", method: .post, path: "/notes").compressed

  func validate(_ params: Params) throws(ParamsError) {
    guard !params.text.isEmpty else {
      throw ParamsError(field: "text", "the note is empty; write something.")
    }
  }
}
