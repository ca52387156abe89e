package import Foundation

/// The keys and certificates of an authority and of the servers it vouches for, created by the `openssl`
/// command.
package enum TestCertificates {
  /// The kind of a server's certificate; its raw value is the name of its files.
  package enum Kind: String, Sendable, CaseIterable {
    case good, expired, wrongName, selfSigned
  }

  /// The host name of the good certificate, besides `localhost` and 127.0.0.1; it cannot be resolved by DNS.
  package static let name = "api.switchyard.test"

  // Created once per process: a dozen commands take longer than most tests that need them.
  private static let made = Task { try await make() }

  /// Writes the files of this process to a folder; they are valid for a month.
  ///
  /// The first call in a process creates them, without blocking a thread of the cooperative pool.
  ///
  /// - Throws: ``OpenSSLCommandError`` if there is no `openssl` command or it fails.
  package static func write(to folder: URL) async throws {
    for (name, bytes) in try await made.value {
      try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
  }

  /// Returns the files of an authority and its certificates, by name.
  private static func make() async throws -> [String: [UInt8]] {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("certificates-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await openSSL(
      ["req", "-x509"] + newKey("authority") + ["-days", "31", "-out", "authority.pem"], in: folder)
    try Data(authorityConfiguration.utf8).write(to: folder.appendingPathComponent("authority.cnf"))
    try Data().write(to: folder.appendingPathComponent("issued.txt"))
    try Data("01\n".utf8).write(to: folder.appendingPathComponent("serial"))
    for kind in Kind.allCases { try await make(kind, in: folder) }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: [:]) { files, name in
      // Stored as arrays, because the leak sanitizer does not recognize references held by Data.
      files[name] = try [UInt8](Data(contentsOf: folder.appendingPathComponent(name)))
    }
  }

  private static func newKey(_ name: String) -> [String] {
    [
      "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "\(name).key",
      "-subj", "/CN=\(name)",
    ]
  }

  private static func make(_ kind: Kind, in folder: URL) async throws {
    let names =
      kind == .wrongName ? "DNS:other.switchyard.test" : "DNS:\(name),DNS:localhost,IP:127.0.0.1"
    let key = newKey(kind.rawValue)
    guard kind != .selfSigned else {
      return try await openSSL(
        ["req", "-x509"] + key
          + ["-days", "30", "-addext", "subjectAltName=\(names)", "-out", "\(kind.rawValue).pem"], in: folder)
    }
    try Data("subjectAltName=\(names)\n".utf8)
      .write(to: folder.appendingPathComponent("\(kind.rawValue).ext"))
    try await openSSL(["req", "-new"] + key + ["-out", "\(kind.rawValue).csr"], in: folder)
    // `x509 -req` sets no dates before 3.4, and no past ones from then on.
    let (start, end): (Double, Double) = kind == .expired ? (-2, -1) : (0, 30)
    try await openSSL(
      [
        "ca", "-batch", "-notext", "-config", "authority.cnf",
        "-startdate", date(start), "-enddate", date(end),
        "-in", "\(kind.rawValue).csr", "-extfile", "\(kind.rawValue).ext", "-out", "\(kind.rawValue).pem",
      ], in: folder)
  }

  /// What `openssl ca` reads: where it keeps its record of certificates, and that each has a name.
  private static let authorityConfiguration = """
    [ca]
    default_ca = authority
    [authority]
    certificate = authority.pem
    private_key = authority.key
    database = issued.txt
    serial = serial
    new_certs_dir = .
    default_md = sha256
    unique_subject = no
    policy = named
    [named]
    commonName = supplied

    """

  /// Returns the time in a number of days, such as "20261129151136Z".
  private static func date(_ days: Double) -> String {
    Date(timeIntervalSinceNow: days * 86_400).formatted(.iso8601).filter { $0.isNumber || $0 == "Z" }
  }

  private static func openSSL(_ arguments: [String], in folder: URL) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    let (ended, end) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      end.yield(process.terminationStatus)
      end.finish()
    }
    do {
      try process.run()
    } catch {
      throw OpenSSLCommandError("The openssl command cannot be run (\(error)); install OpenSSL.")
    }
    let status = await ended.first { _ in true } ?? -1
    guard status == 0 else {
      throw OpenSSLCommandError(
        "openssl \(arguments.first ?? "") exited with \(status); install OpenSSL 1.1.1 or later.")
    }
  }
}

/// The failure of the `openssl` command.
package struct OpenSSLCommandError: Error, CustomStringConvertible {
  /// The problem and its remedy.
  package let description: String

  init(_ sentence: String) { description = sentence }
}
