extension StateDirectory {
  /// Returns an Ed25519 private key in PEM, and makes it and its public key if one of the files is missing.
  ///
  /// In production the private key would not be on the server.
  func signingKey(
    _ privateName: String, publicKey publicName: String, searchPath: String?
  ) throws(StateDirectoryError) -> String {
    if !exists(privateName) || !exists(publicName) {
      let openssl = try OpenSSLProgram(searchPath: searchPath)
      try withScratch { scratch throws(StateDirectoryError) in
        try openssl.run(["genpkey", "-algorithm", "ed25519", "-out", privateName], in: scratch)
        try openssl.run(["pkey", "-in", privateName, "-pubout", "-out", publicName], in: scratch)
        try adopt(privateName, from: scratch, permissions: 0o600)
        try adopt(publicName, from: scratch, permissions: 0o644)
      }
    }
    return String(decoding: try read(privateName), as: UTF8.self)
  }
}
