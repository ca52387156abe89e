extension Challenge {
  /// The maximum number of bytes that are read, over all fields of a response.
  static let byteLimit = 16 << 10
  /// The maximum number of challenges, and of parameters of one challenge.
  static let countLimit = 32

  /// Parses the values of `WWW-Authenticate` fields; malformed challenges are omitted.
  ///
  /// The time is linear in the limit of bytes, whatever a server sends.
  static func list(_ values: [String]) -> [Challenge] {
    var challenges: [Challenge] = []
    var remaining = byteLimit
    for value in values {
      let bytes = Array(value.utf8.prefix(remaining))
      // A field that is cut would end in a challenge with a shortened value.
      let isCut = bytes.count < value.utf8.count
      remaining -= bytes.count
      var reader = ChallengeReader(bytes)
      while challenges.count < countLimit, let challenge = reader.next() {
        if isCut, reader.isAtEnd { break }
        challenges.append(challenge)
      }
      guard remaining > 0, challenges.count < countLimit else { break }
    }
    return challenges
  }
}
