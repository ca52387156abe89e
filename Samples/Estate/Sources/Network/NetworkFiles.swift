/// The paths of the files in which the network layer keeps what should survive the app's end; each is `nil`
/// if it should not.
package struct NetworkFiles: Sendable, Hashable {
  package var cookies: String?
  package var environments: String?
  package var responses: String?
  package var addresses: String?
  package var alternativeServices: String?

  package init() {}
}
