/// The reason that nothing was done.
struct NewModuleError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}
