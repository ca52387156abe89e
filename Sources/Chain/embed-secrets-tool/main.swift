import RegularFiles
import SecretEmbedding

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

func complain(_ text: String) { _ = RegularFile.writeAll(Array("\(text)\n".utf8), to: STDERR_FILENO) }

func arguments() -> EmbeddingArguments {
  do throws(UsageError) {
    if let arguments = try EmbeddingArguments.parse(CommandLine.arguments.dropFirst()) { return arguments }
    print(EmbeddingArguments.help)
    exit(0)
  } catch {
    complain("embed-secrets-tool: \(error)\n\(EmbeddingArguments.usage)")
    exit(EX_USAGE)
  }
}

func readList(of asked: EmbeddingArguments) -> SecretList {
  do throws(FileError) { return SecretList(try RegularFile.bytes(at: asked.list)) } catch {
    complain("\(error)")
    exit(EX_NOINPUT)
  }
}

let asked = arguments()
let list = readList(of: asked)
let files = SecretFiles(asked)
var faults = list.faults
var secrets: [EmbeddingCode.Secret] = []
for secret in list.secrets {
  do throws(SecretFault) {
    secrets.append(.init(name: secret.name, bytes: try files.bytes(of: secret)))
  } catch {
    faults.append(error)
  }
}
for fault in faults.sorted(by: { $0.line < $1.line }) { print(fault.text(in: asked.list)) }
guard faults.isEmpty else { exit(1) }
// swiftbuild runs this in each build: code with the same secrets stays, so that nothing is compiled again.
if let code = try? RegularFile.bytes(at: asked.output),
  EmbeddingCode(String(decoding: code, as: UTF8.self))?.secrets == secrets
{
  exit(0)
}
var generator = SystemRandomNumberGenerator()
do throws(FileError) {
  // Only the owner may read it, because it holds all shares.
  try RegularFile.write(
    EmbeddingCode(secrets, using: &generator).text, to: asked.output, isPrivate: true)
} catch {
  complain("\(error)")
  exit(EX_CANTCREAT)
}
