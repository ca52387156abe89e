import Foundation
import Testing

@testable import EstateServer

@Suite(.timeLimit(.minutes(5))) struct ServerCertificateTests {
  @Test("The first start makes the three files, and the next one reuses them")
  func reuse() throws {
    let scratch = ScratchDirectory()
    let directory = try StateDirectory(path: scratch.path)
    let first = try ServerCertificate.prepare(in: directory)
    let files = try ServerCertificate.fileNames.map(scratch.bytes)
    let second = try ServerCertificate.prepare(in: directory)
    #expect(first.source == .made && second.source == .reused)
    #expect(first.end == second.end)
    #expect(try ServerCertificate.fileNames.map(scratch.bytes) == files)
    #expect(abs(first.end.timeIntervalSinceNow - 397 * 86400) < 86400)
    #expect(try scratch.permissions("server-key.pem") == 0o600)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    // Neither the authority's key nor a temporary file is left.
    #expect(names.sorted() == ["ca.pem", "server-key.pem", "server.pem"])
  }

  @Test("30 days before its end the certificate is renewed with a new authority, and not a second earlier")
  func renewal() throws {
    let scratch = ScratchDirectory()
    let directory = try StateDirectory(path: scratch.path)
    let made = try ServerCertificate.prepare(in: directory)
    let edge = made.end.addingTimeInterval(-ServerCertificate.margin)
    let before = try ServerCertificate.prepare(in: directory, now: edge.addingTimeInterval(-1))
    #expect(before.source == .reused)
    let files = try ServerCertificate.fileNames.map(scratch.bytes)
    let renewed = try ServerCertificate.prepare(in: directory, now: edge)
    #expect(renewed.source == .renewed)
    for (name, old) in zip(ServerCertificate.fileNames, files) {
      #expect(try scratch.bytes(name) != old)
    }
    #expect(try ServerCertificate.prepare(in: directory).source == .reused)
  }

  @Test("A key file that others may read becomes private")
  func permissions() throws {
    let scratch = ScratchDirectory()
    let directory = try StateDirectory(path: scratch.path)
    _ = try ServerCertificate.prepare(in: directory)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: "\(scratch.path)/server-key.pem")
    _ = try ServerCertificate.prepare(in: directory)
    #expect(try scratch.permissions("server-key.pem") == 0o600)
  }

  @Test(
    "A damaged file is reported with what to delete",
    arguments: ServerCertificate.fileNames)
  func damaged(name: String) throws {
    let scratch = ScratchDirectory()
    let directory = try StateDirectory(path: scratch.path)
    _ = try ServerCertificate.prepare(in: directory)
    for text in ["", "nonsense", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
      try scratch.write(text, to: name)
      let error = #expect(throws: StateDirectoryError.self) { try ServerCertificate.prepare(in: directory) }
      #expect(error?.description.contains("\(scratch.path)/\(name)") == true)
      #expect(error?.description.contains("Delete") == true)
    }
    try FileManager.default.removeItem(atPath: "\(scratch.path)/\(name)")
    let missing = #expect(throws: StateDirectoryError.self) { try ServerCertificate.prepare(in: directory) }
    #expect(missing?.description.contains("\(name) is missing") == true)
  }

  @Test("Files of different authorities are refused")
  func mixed() throws {
    let (one, two) = (ScratchDirectory(), ScratchDirectory())
    for scratch in [one, two] {
      _ = try ServerCertificate.prepare(in: StateDirectory(path: scratch.path))
    }
    let directory = try StateDirectory(path: one.path)
    let (ca, key) = (try one.bytes("ca.pem"), try one.bytes("server-key.pem"))
    try two.bytes("ca.pem").write(to: URL(filePath: "\(one.path)/ca.pem"))
    let signer = #expect(throws: StateDirectoryError.self) { try ServerCertificate.prepare(in: directory) }
    #expect(signer?.description.contains("not signed by ca.pem") == true)
    try ca.write(to: URL(filePath: "\(one.path)/ca.pem"))
    try two.bytes("server-key.pem").write(to: URL(filePath: "\(one.path)/server-key.pem"))
    let owner = #expect(throws: StateDirectoryError.self) { try ServerCertificate.prepare(in: directory) }
    #expect(owner?.description.contains("not the key of server.pem") == true)
    try key.write(to: URL(filePath: "\(one.path)/server-key.pem"))
    #expect(try ServerCertificate.prepare(in: directory).source == .reused)
  }

  @Test("A file in place of the state directory is reported")
  func notDirectory() throws {
    let scratch = ScratchDirectory()
    try scratch.write("", to: "file")
    let error = #expect(throws: StateDirectoryError.self) { try StateDirectory(path: "\(scratch.path)/file") }
    #expect(
      error?.description
        == "The state directory \(scratch.path)/file cannot be used: It is not a directory.")
  }

  @Test("Without openssl the error says how to install it")
  func noProgram() throws {
    let directory = try StateDirectory(path: ScratchDirectory().path)
    let error = #expect(throws: StateDirectoryError.opensslMissing) {
      try ServerCertificate.prepare(in: directory, searchPath: "/nowhere")
    }
    #expect(error?.description.contains("apt-get install openssl") == true)
  }
}
