import EmbeddedSecrets
import Foundation
import Interception
import RequestSigning

/// A server in the same process, which has the secret in a file, as yours has it in its configuration.
struct Server: Dispatcher {
  private let verifier: SignatureVerifier

  init(secretIn path: String) throws {
    // A line break at the end is not a part of an embedded secret.
    let text = try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines)
    let key = try SigningKey(id: "shop-1", secret: Array(text.utf8))
    verifier = SignatureVerifier(keys: SigningKeys(key), start: WallTime(secondsSince1970: 0))
  }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    do throws(SignatureError) {
      let claims = try verifier.verify(SignedRequest(request.head, body: []))
      let path = request.head.path ?? ""
      print("accepted: \(request.head.method) \(path), signed with the key \(claims.keyID)")
      return Response(status: .ok)
    } catch {
      print("refused: \(error)")
      return Response(status: .unauthorized)
    }
  }
}

guard CommandLine.arguments.count == 2 else {
  print("usage: EmbeddedKey FILE, the file that EmbeddedSecrets.txt names")
  exit(64)
}
do {
  // The app has no file: the secret is in the program, in shares that are joined only to derive a key.
  let key = try SigningKey(id: "shop-1", secret: .platformKey)
  let server = try Server(secretIn: CommandLine.arguments[1])
  let pipeline = try Pipeline(over: server) { SigningInterceptor(key: key, identity: .app) }
  _ = try await pipeline.send(Request(authority: "shop.example", path: "/orders"))
} catch {
  print(error)
  exit(1)
}
