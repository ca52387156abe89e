import BodyFormats

extension DeploymentError {
  /// Creates the error of a part that has refused its content.
  init(faultOf error: any Error, in content: [UInt8], version: UInt64, part: String) {
    let (line, problem): (Int?, String) =
      switch error {
      case let fault as DeploymentPart.Fault: (fault.line, fault.reason)
      default: (nil, "\(error)")
      }
    self.init(.part(Self.sentence(problem)), version: version, part: part, line: line)
  }

  /// Returns at most 500 characters of a text, without control characters but line breaks.
  private static func sentence(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(500).map { scalar in
        scalar.value >= 0x20 && scalar.value != 0x7F || scalar == "\n" ? Character(scalar) : "?"
      })
  }
}
