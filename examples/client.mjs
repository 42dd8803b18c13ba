// A ruling over HTTP. Start `bridgelaws serve`, then: node examples/client.mjs [http://127.0.0.1:8000]
const server = process.argv[2] ?? "http://127.0.0.1:8000";

async function post(path, value) {
  const response = await fetch(server + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.errors.map((each) => `${each.path}: ${each.message}`).join("\n"));
  return answer;
}

const dropped = { card_exposed: { player: "E", card: "D8", manner: "dropped" } };
const table = { contract: "4S by S", hands: { E: "♦KT862" } };
const ruling = await post("/v1/rulings?edition=2017", { table, reports: [dropped] });
for (const finding of ruling.findings) console.log(`${finding.text} (${finding.clauses.join(", ")})`);
for (const [seat, plays] of Object.entries(ruling.plays)) console.log(`${seat} may play ${plays.may.join(" ")}`);
