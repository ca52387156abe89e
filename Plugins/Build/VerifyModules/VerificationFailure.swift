/// Why the command ends with an error.
struct VerificationFailure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
