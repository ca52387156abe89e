/// The reason that the command failed.
struct VerificationFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
