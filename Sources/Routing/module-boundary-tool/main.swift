import ImportScanning
import RegularFiles

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

func complain(_ text: String) { _ = RegularFile.writeAll(Array("\(text)\n".utf8), to: STDERR_FILENO) }

func arguments() -> ToolArguments {
  do throws(UsageError) {
    if let arguments = try ToolArguments.parse(CommandLine.arguments.dropFirst()) { return arguments }
    print(ToolArguments.help)
    exit(0)
  } catch {
    complain("module-boundary-tool: \(error)\n\(ToolArguments.usage)")
    exit(EX_USAGE)
  }
}

let asked = arguments()
var violations: [BoundaryViolation] = []
var unreadable = false
for path in asked.sources {
  do throws(FileError) {
    violations += asked.rule.violations(in: try RegularFile.bytes(at: path), path: path)
  } catch {
    // The other files are still checked: one run reports every fault.
    complain("\(error)")
    unreadable = true
  }
}
for violation in violations { print(violation) }
guard !unreadable else { exit(EX_NOINPUT) }
guard violations.isEmpty else { exit(1) }
do throws(FileError) {
  try RegularFile.write("// \(asked.rule.module) imports no other business module.\n", to: asked.stamp)
} catch {
  complain("\(error)")
  exit(EX_CANTCREAT)
}
