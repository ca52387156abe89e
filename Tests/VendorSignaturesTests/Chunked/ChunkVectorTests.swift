import Cryptography
import HTTPTypes
import Interception
import Testing

@testable import VendorSignatures

@Suite(.enabled(if: SignatureVectors.mustRun, "Requires ../shared/vectors/signing/aws-chunked.json"))
struct ChunkVectorTests {
  struct File: Decodable, Sendable {
    struct Case: Decodable, Sendable {
      struct Chunk: Decodable, Sendable {
        let size: Int
        let header: String
      }

      let id: String
      let method: String
      let path: String
      let headers: [[String]]
      let decodedLength: Int
      let chunkSize: Int
      let seedSignature: String
      let authorization: String
      let chunks: [Chunk]
      let trailers: [[String]]?
      let trailerSignature: String?
      let encodedLength: Int
      let encodedSHA256: String
    }

    let accessKeyId: String
    let secretAccessKey: String
    let region: String
    let service: String
    let date: String
    let cases: [Case]
  }

  /// The fields that the interceptor adds itself.
  private static let added: Set<String> = [
    "host", "x-amz-date", "content-encoding", "x-amz-decoded-content-length", "x-amz-content-sha256",
    "x-amz-trailer", "content-length",
  ]

  @Test("A body in chunks is that of each AWS case, byte for byte")
  func cases() async throws {
    let file = try SignatureVectors.read("signing/aws-chunked.json", as: File.self)
    SignatureVectors.report("signing/aws-chunked.json", file.cases.count)
    #expect(file.cases.count >= 2)
    for vector in file.cases {
      let all = try HTTPFields(pairs: vector.headers)
      var fields = all
      for field in all where Self.added.contains(field.name.canonicalName) { fields[field.name] = nil }
      if all.contains(.contentLength) { fields[.contentLength] = "\(vector.decodedLength)" }
      let signature = try AWSSignature(
        region: file.region, service: file.service,
        payload: .chunked(size: vector.chunkSize, sendsChecksum: vector.trailers != nil))
      let interceptor = VendorSignatureInterceptor(
        signature, with: try VendorCredentials(keyID: file.accessKeyId, secret: file.secretAccessKey),
        time: .fixed(try SignatureVectors.time(file.date)))
      let request = Request(
        method: try #require(HTTPRequest.Method(vector.method)), authority: all.text("Host") ?? "",
        path: vector.path, headerFields: fields,
        body: .bytes([UInt8](repeating: UInt8(ascii: "a"), count: vector.decodedLength)))
      let sent = try await interceptor.signed(request)
      let authorization = try #require(sent.head.headerFields[.authorization])
      #expect(authorization.part("Signature=") == vector.seedSignature)
      #expect(authorization.filter { $0 != " " } == vector.authorization.filter { $0 != " " })
      #expect(sent.body.length == Int64(vector.encodedLength))
      // The body can be sent again, with the same bytes.
      for _ in 1...2 {
        let bytes = try await sent.body.collect(upTo: 1 << 20)
        #expect(bytes.count == vector.encodedLength)
        #expect(Hexadecimal.encode(try Digest.sha256(bytes)) == vector.encodedSHA256)
        let text = String(decoding: bytes, as: UTF8.self)
        for chunk in vector.chunks { #expect(text.contains(chunk.header)) }
        if let last = vector.trailerSignature {
          #expect(text.contains("x-amz-trailer-signature:\(last)\r\n"))
        }
        for trailer in vector.trailers ?? [] { #expect(text.contains("\(trailer[0]):\(trailer[1])\r\n")) }
      }
    }
  }
}
