extension RouteTable {
  /// The source location of a declaration.
  public struct Place: Sendable, Hashable, CustomStringConvertible {
    /// The name of the module.
    public let module: String
    /// The name of the route's type, or a phrase for another kind of declaration.
    public let name: String
    /// The pattern, if there is one.
    public let pattern: String?
    /// The file, as `#fileID` gives it.
    public let file: String
    /// The line in the file.
    public let line: Int

    /// The declaration in one phrase, with file and line.
    public var description: String {
      "\(name)\(pattern.map { " \"\($0)\"" } ?? "") in module \(module) (\(file):\(line))"
    }
  }
}
