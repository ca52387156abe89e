package import APIManagers
import HTTPTypes

/// An API for members: when the server knows no session for the request's token, the user must log in again.
///
/// Its endpoint accepts `.membersAnswers`, so that the refusal reaches the validator.
package protocol MembersAPI: API {}

extension MembersAPI {
  /// Reports a response without a session as `needsLogin`, which the app answers with the login.
  package func validate(_ response: APIResponse) throws(ResponseError) {
    if response.status == .unauthorized { throw .needsLogin }
    guard response.status.kind == .successful else {
      throw .invalid("The server answered \(response.status.code) for \(response.api); try again later.")
    }
  }
}

extension Range<Int> {
  /// The successful statuses and those up to 401, the refusal of a guest.
  package static var membersAnswers: Range<Int> { 200..<402 }
}
